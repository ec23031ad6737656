// SPDX-License-Identifier: BSD-3-Clause
// Serialisation: values as bytes of a message.
//
// Trivially copyable types are sent as they are; strings, containers, optionals, variants, pairs,
// tuples, unique_ptrs and shared_ptrs by content, as are look-alikes of other libraries. (Two
// shared_ptrs to one object arrive with an object each.) A class names its members for both
// directions:
//
//     struct reading {
//       std::string name;
//       std::vector<float> values;
//       friend auto acre_fields(reading& r) { return std::tie(r.name, r.values); }
//     };
//
// A class without a default constructor defines a substitute:
//
//     class angle {
//       explicit angle(double degrees);
//       friend double acre_save(const angle& a) { return a.degrees(); }
//       friend angle acre_load(std::type_identity<angle>, double degrees) {
//         return angle(degrees);
//       }
//     };
//
// A pointer to a base sends objects of the classes that the base lists, each as its own class:
//
//     struct shape {
//       virtual ~shape() = default;
//       friend std::tuple<circle*, square*> acre_classes(const shape&) { return {}; }
//     };
//
// acre_save returns any type that can be sent; it also runs to measure types without fixed size.
// (For other classes, write both in their namespace.) Pointers are compile errors, except hidden in
// lambda captures and trivially copyable classes. Function pointers are sent as callable_tokens.
//
// The bytes carry no types: the receiver reads what the sender wrote. Numbers keep machine byte
// order; fixed parts are unpadded. Contiguous ranges (vector<int>, string, span, view) are written
// as count, padding to their alignment, elements, and can be received as any other; views point
// into the message. Offsets count from the payload's first byte, at a multiple of 8.
#pragma once

#include <acre/global/wire/detail/encoding.hpp>
#include <acre/global/wire/detail/load.hpp>
#include <acre/global/wire/detail/message_view.hpp>
#include <acre/global/wire/detail/reader.hpp>
#include <acre/global/wire/detail/save.hpp>

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace acre {

/// T and, through standard containers, its elements can be sent.
template <class T>
concept serializable = global::can_travel<std::remove_cvref_t<T>>();

/// Size of every T in a message, or variable_size.
inline constexpr std::size_t variable_size = static_cast<std::size_t>(-1);
template <class T>
inline constexpr std::size_t fixed_serialized_size =
    global::bounds_of<T>().fixed ? global::bounds_of<T>().least : variable_size;

/// Type that arrives: T, or a view of the message for spans, literals and make_message_view()
/// results.
template <class T>
struct received {
  using type = T;
};
template <class T, std::size_t Extent>
struct received<std::span<T, Extent>> {
  using type = std::span<const T>;
};
template <class Iterator, class Sentinel>
struct received<iterated_message_view<Iterator, Sentinel>> {
  using type = message_view<typename iterated_message_view<Iterator, Sentinel>::value_type>;
};
template <std::size_t Size>
struct received<char[Size]> {
  using type = std::string_view;
};
template <class T>
using received_t = typename received<std::remove_cvref_t<T>>::type;

/// Number of bytes that write_to() writes; constant if all sizes are fixed.
template <class... T>
[[nodiscard]] constexpr std::size_t serialized_size(const T&... values) {
  constexpr global::size_bounds bounds = global::bounds_as_sent<T...>();
  if constexpr (sizeof...(T) == 0) {
    return 0;
  } else if constexpr (bounds.fixed) {
    return bounds.least;
  } else {
    global::byte_counter counter;
    (global::save(counter, global::as_sent(values)), ...);
    return counter.offset();
  }
}

/// Writes `values` to the front of `payload`, which should be aligned to payload_alignment.
/// @return serialized_size(values...)
/// @throws acre::error if a value has outgrown `payload`
template <class... T>
std::size_t write_to(std::span<std::byte> payload, const T&... values) {
  if constexpr (sizeof...(T) == 0) {
    return 0;
  } else if constexpr (global::bounds_as_sent<T...>().fixed) {
    constexpr std::size_t needed = global::bounds_as_sent<T...>().least;
    if (payload.size() < needed) [[unlikely]] {
      global::throw_no_room(needed, payload.size());
    }
    global::byte_writer<global::room::known_to_suffice> writer(payload);
    (global::save(writer, global::as_sent(values)), ...);
    return needed;
  } else {
    global::byte_writer<global::room::checked> writer(payload);
    (global::save(writer, global::as_sent(values)), ...);
    return writer.offset();
  }
}

template <class... T>
[[nodiscard]] std::vector<std::byte> serialize(const T&... values) {
  std::vector<std::byte> bytes(serialized_size(values...));
  write_to(bytes, values...);
  return bytes;
}

/// Deserialises `bytes`.
/// @throws acre::error if they are not exactly one T
template <class T>
[[nodiscard]] T deserialize(std::span<const std::byte> bytes) {
  reader from(bytes);
  T value = from.read<T>();
  from.expect_end();
  return value;
}

}  // namespace acre
