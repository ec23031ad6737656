// SPDX-License-Identifier: BSD-3-Clause
// Types of atomic operations: integers of 1 to 8 bytes, and floating-point and complex numbers of
// up to 16 bytes. complex<long double>, of 32, is the only one of libfabric's that no instruction
// exchanges.
#pragma once

#include <acre/base/complex_number.hpp>
#include <acre/base/word_of_size.hpp>
#include <acre/fabric/message.hpp>
#include <acre/fabric/wide_word.hpp>

#include <bit>
#include <cfloat>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace acre::fabric {

enum class atomic_type : std::uint8_t {
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
  int8,
  uint8,
  int16,
  uint16,
  complex64,
  complex128,
  extended
};
inline constexpr std::size_t atomic_type_count = 13;

template <class T>
concept atomic_integer =
    std::integral<T> && std::same_as<T, std::remove_cv_t<T>> && !std::same_as<T, bool>;

/// Types with an order.
template <class T>
concept atomic_real = atomic_integer<T> || std::same_as<T, float> || std::same_as<T, double> ||
                      (std::same_as<T, long double> && sizeof(T) == 16);

template <class T>
concept atomic_complex = base::is_complex<T> && std::is_trivially_copyable_v<T> &&
                         (std::same_as<typename base::part_of_number<T>::type, float> ||
                          std::same_as<typename base::part_of_number<T>::type, double>) &&
                         sizeof(T) == 2 * sizeof(typename base::part_of_number<T>::type);

template <class T>
concept atomic_value = atomic_real<T> || atomic_complex<T>;

template <atomic_value T>
[[nodiscard]] consteval atomic_type atomic_type_of() {
  using enum atomic_type;
  if constexpr (atomic_complex<T>) {
    return sizeof(T) == 8 ? complex64 : complex128;
  } else if constexpr (std::floating_point<T>) {
    return sizeof(T) == 4 ? float32 : sizeof(T) == 8 ? float64 : extended;
  } else {
    constexpr atomic_type types[2][4] = {{uint8, uint16, uint32, uint64},
                                         {int8, int16, int32, int64}};
    return types[std::signed_integral<T>][std::bit_width(sizeof(T)) - 1];
  }
}

[[nodiscard]] constexpr std::size_t size_of(atomic_type type) noexcept {
  constexpr std::uint8_t sizes[atomic_type_count] = {4, 4, 8, 8, 4, 8, 1, 1, 2, 2, 8, 16, 16};
  return static_cast<std::size_t>(type) < atomic_type_count ? sizes[static_cast<std::size_t>(type)]
                                                            : 8;
}

/// Memory of a value.
template <std::size_t Bytes>
struct memory_word : base::word_of_size<Bytes> {};
template <>
struct memory_word<sizeof(wide_word)> {
  using type = wide_word;
};
template <atomic_value T>
using memory_word_of = typename memory_word<sizeof(T)>::type;

template <atomic_value T>
inline constexpr bool is_wide = sizeof(T) == sizeof(wide_word);

template <atomic_value T>
[[nodiscard]] memory_word_of<T> to_memory(const T& value) noexcept {
  if constexpr (std::same_as<T, long double> && LDBL_MANT_DIG == 64) {
    wide_word bits;
    std::memcpy(static_cast<void*>(&bits), &value, 10);  // The others are padding.
    return bits;
  } else {
    return std::bit_cast<memory_word_of<T>>(value);
  }
}

/// A value as messages contain it.
template <atomic_value T>
[[nodiscard]] auto to_word(const T& value) noexcept {
  if constexpr (is_wide<T>) {
    return to_memory(value);
  } else {
    return word{to_memory(value)};
  }
}
template <atomic_value T>
[[nodiscard]] T from_word(word bits) noexcept {
  return std::bit_cast<T>(static_cast<memory_word_of<T>>(bits));
}
template <atomic_value T>
[[nodiscard]] T from_word(wide_word bits) noexcept {
  if constexpr (is_wide<T>) {
    return std::bit_cast<T>(bits);
  } else {
    return from_word<T>(bits.low);
  }
}

}  // namespace acre::fabric
