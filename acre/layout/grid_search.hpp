// SPDX-License-Identifier: BSD-3-Clause
// All grids that a number of members can form, and their measure.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace acre::layout {

/// Calls f(parts) for each grid of `members`, in ascending order of the first extents.
/// @param given  an extent, or 0: any
void each_grid(std::span<const std::size_t> given, std::size_t members,
               const std::function<void(std::span<const std::size_t>)>& f);

/// Surface between members' boxes, per element; large if members have none.
[[nodiscard]] double contact(std::span<const std::size_t> parts,
                             std::span<const std::size_t> extents);

}  // namespace acre::layout
