// SPDX-License-Identifier: BSD-3-Clause
// Element types of HDF5 datasets: numbers, and structs of numbers.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

namespace acre {

template <class Struct, class Member>
struct hdf5_field {
  const char* name;
  Member Struct::* member;
};
template <class Struct, class Member>
hdf5_field(const char*, Member Struct::*) -> hdf5_field<Struct, Member>;

/// Specialize for structs of numbers:
///
///     template <>
///     inline constexpr auto acre::hdf5_fields<particle> =
///         std::tuple(acre::hdf5_field("mass", &particle::mass), …);
template <class T>
inline constexpr std::tuple<> hdf5_fields{};

namespace matrix_files {

enum class hdf5_kind : std::uint8_t { boolean, integer, natural, real };

struct hdf5_number {
  const char* name;  ///< of a struct's member; else empty
  std::size_t offset;
  hdf5_kind kind;
  std::size_t bytes;
};
struct hdf5_type {
  std::size_t bytes;
  std::vector<hdf5_number> numbers;
};

template <class T>
concept hdf5_complex = requires(T x) {
  typename T::value_type;
  requires std::floating_point<typename T::value_type>;
  x.real();
  x.imag();
  requires sizeof(T) == 2 * sizeof(typename T::value_type);
};
template <class T>
concept hdf5_struct = std::tuple_size_v<std::remove_cvref_t<decltype(hdf5_fields<T>)>> != 0;

template <class T>
  requires std::is_arithmetic_v<T>
[[nodiscard]] constexpr hdf5_number hdf5_number_of(const char* name, std::size_t offset) noexcept {
  constexpr hdf5_kind kind = std::same_as<T, bool>     ? hdf5_kind::boolean
                             : std::floating_point<T>  ? hdf5_kind::real
                             : std::signed_integral<T> ? hdf5_kind::integer
                                                       : hdf5_kind::natural;
  return {name, offset, kind, sizeof(T)};
}

template <class T>
[[nodiscard]] hdf5_type hdf5_type_of() {
  if constexpr (hdf5_complex<T>) {
    using part = typename T::value_type;
    return {sizeof(T), {hdf5_number_of<part>("r", 0), hdf5_number_of<part>("i", sizeof(part))}};
  } else if constexpr (hdf5_struct<T>) {
    const T sample{};
    const auto number = [&]<class Member>(const hdf5_field<T, Member>& field) {
      const auto* of_struct = reinterpret_cast<const std::byte*>(&sample);
      const auto* of_member = reinterpret_cast<const std::byte*>(&(sample.*field.member));
      return hdf5_number_of<Member>(field.name, static_cast<std::size_t>(of_member - of_struct));
    };
    return std::apply(
        [&](const auto&... fields) { return hdf5_type{sizeof(T), {number(fields)...}}; },
        hdf5_fields<T>);
  } else {
    return {sizeof(T), {hdf5_number_of<T>("", 0)}};
  }
}

}  // namespace matrix_files

template <class T>
concept hdf5_element =
    std::is_arithmetic_v<T> || matrix_files::hdf5_complex<T> || matrix_files::hdf5_struct<T>;

}  // namespace acre
