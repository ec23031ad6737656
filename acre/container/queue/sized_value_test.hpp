// SPDX-License-Identifier: BSD-3-Clause
// Value of equal bytes, to detect torn copies.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace acre::testing {

template <std::size_t Bytes>
struct sized {
  std::array<unsigned char, Bytes> bytes;
  static sized of(unsigned number) {
    sized made;
    made.bytes.fill(static_cast<unsigned char>(number));
    return made;
  }
  [[nodiscard]] bool is_whole() const {
    return std::ranges::all_of(bytes, [&](unsigned char each) { return each == bytes[0]; });
  }
};

}  // namespace acre::testing
