// SPDX-License-Identifier: BSD-3-Clause
// Formats extents for errors, as "4 x 5".
#pragma once

#include <acre/layout/member_grid.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace acre::layout {

/// "a single element" without dimensions.
[[nodiscard]] std::string extents_text(std::span<const std::size_t> extents);
[[nodiscard]] std::string extents_text(const member_grid& grid);

}  // namespace acre::layout
