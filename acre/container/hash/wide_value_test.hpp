// SPDX-License-Identifier: BSD-3-Clause
// Value of equal words, to detect torn copies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace acre::testing {

template <std::size_t Words>
struct wide_value {
  std::array<std::uint64_t, Words> words;

  static wide_value of(std::uint64_t number) {
    wide_value made;
    made.words.fill(number);
    return made;
  }
  [[nodiscard]] bool is_whole() const {
    return std::memcmp(words.data(), words.data() + 1, sizeof(words) - sizeof(words[0])) == 0;
  }
};

}  // namespace acre::testing
