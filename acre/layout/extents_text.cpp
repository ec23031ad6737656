// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/extents_text.hpp>

#include <array>

namespace acre::layout {

std::string extents_text(std::span<const std::size_t> extents) {
  std::string text;
  for (const std::size_t extent : extents) {
    text += (text.empty() ? "" : " x ") + std::to_string(extent);
  }
  return text.empty() ? "a single element" : text;
}

std::string extents_text(const member_grid& grid) {
  return extents_text(std::array<std::size_t, 2>{grid.rows, grid.columns});
}

}  // namespace acre::layout
