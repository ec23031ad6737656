// SPDX-License-Identifier: BSD-3-Clause
// Unsigned integers by their size.
#pragma once

#include <cstddef>
#include <cstdint>

namespace acre::base {

/// `type` is the unsigned integer of 1, 2, 4 or 8 bytes.
template <std::size_t Bytes>
struct word_of_size;
template <>
struct word_of_size<1> {
  using type = std::uint8_t;
};
template <>
struct word_of_size<2> {
  using type = std::uint16_t;
};
template <>
struct word_of_size<4> {
  using type = std::uint32_t;
};
template <>
struct word_of_size<8> {
  using type = std::uint64_t;
};

}  // namespace acre::base
