// SPDX-License-Identifier: BSD-3-Clause
// Extents of ranges in files.
#pragma once

#include <cstddef>
#include <ranges>
#include <vector>

namespace acre::matrix_files {

/// Extents of matrices, boxes, coarrays and their elementwise views, otherwise the size.
template <class R>
[[nodiscard]] std::vector<std::size_t> extents_of_range(R& range) {
  if constexpr (requires { range.extents(); }) {
    const auto extents = range.extents();
    return {extents.begin(), extents.end()};
  } else {
    const auto size = static_cast<std::size_t>(std::ranges::size(range));
    if constexpr (requires { std::ranges::begin(range).extents_of(size); }) {
      if (size != 0) return std::ranges::begin(range).extents_of(size);
    }
    return {size};
  }
}

}  // namespace acre::matrix_files
