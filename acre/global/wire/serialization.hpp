// SPDX-License-Identifier: BSD-3-Clause
// Values as bytes, to travel in a message and be whole again on another rank.
//
// Trivially copyable types travel as they are; strings, containers, optionals,
// variants, pairs, tuples, unique_ptrs and shared_ptrs by what they hold, whatever
// library they are from, as long as they look like the standard ones. (Two
// shared_ptrs to one object arrive with an object each.) A class of yours names
// its members, once, for both directions:
//
//     struct reading {
//       std::string name;
//       std::vector<float> values;
//       friend auto acre_fields(reading& r) { return std::tie(r.name, r.values); }
//     };
//
// A class that has no default constructor, or that is made in a way of its own,
// says what is to travel in its place, and how it is made of that:
//
//     class angle {
//       explicit angle(double degrees);
//       friend double acre_save(const angle& a) { return a.degrees(); }
//       friend angle acre_load(std::type_identity<angle>, double degrees) {
//         return angle(degrees);
//       }
//     };
//
// acre_save runs when it is written, and before, to measure, where the size of what it returns is
// not known; it returns any type that can be sent; what acre_load throws is what reading throws.
// (For a class that you cannot edit, write the same functions in its namespace.) Pointers are
// refused when the program is compiled, and pointers to functions travel as callable_tokens. What a
// lambda captured, and the members of a trivially copyable class, C++ lets nobody look at: do not
// hide pointers there.
//
// The bytes carry no types: the receiver reads what the sender wrote. Numbers
// stay in the machine's byte order; fixed parts follow each other unpadded.
// Elements that lie side by side (vector<int>, string, span, view) are written
// as count, padding to their alignment, elements; so either of these can be
// received as any other, and a view or string_view just points into the
// message. Offsets count from the payload's first byte, which must lie at a
// multiple of 8.
//
// The sender asks for the size (a constant for fixed types), takes room in a
// message, and writes into it: no intermediate buffer.
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

/// A type that can be sent: its shape is known and, through all standard
/// containers, its elements' too.
template <class T>
concept serializable = global::can_travel<std::remove_cvref_t<T>>();

/// The size of a T in a message, if every T has the same; else variable_size.
inline constexpr std::size_t variable_size = static_cast<std::size_t>(-1);
template <class T>
inline constexpr std::size_t fixed_serialized_size =
    global::bounds_of<T>().fixed ? global::bounds_of<T>().least : variable_size;

/// What arrives when a T was sent: T, except that a span, a literal or a
/// make_message_view arrives as a view of the message.
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

/// How many bytes write_to will write for these values; a constant when the
/// size of each is fixed.
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

/// Writes values one after the other to the front of `payload`, which should
/// begin at a multiple of payload_alignment.
/// @return the number of bytes written, the same as serialized_size's
/// @throws acre::error when there is no room: a value has grown since it was measured
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

/// The bytes of `values`, in memory of their own.
template <class... T>
[[nodiscard]] std::vector<std::byte> serialize(const T&... values) {
  std::vector<std::byte> bytes(serialized_size(values...));
  write_to(bytes, values...);
  return bytes;
}

/// The T that `bytes` hold, and nothing else.
/// @throws acre::error when the bytes are not those of one T
template <class T>
[[nodiscard]] T deserialize(std::span<const std::byte> bytes) {
  reader from(bytes);
  T value = from.read<T>();
  from.expect_end();
  return value;
}

}  // namespace acre
