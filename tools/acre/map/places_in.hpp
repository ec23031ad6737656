// SPDX-License-Identifier: BSD-3-Clause
// The size of a node, or a grid, from its sides.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace acre::tool {

/// Product of `extents`, at most 2^31.
[[nodiscard]] inline std::uint32_t places_in(std::span<const std::uint32_t> extents) {
  std::uint64_t all = 1;
  for (const std::uint32_t each : extents) all = std::min(all * each, std::uint64_t{1} << 31);
  return static_cast<std::uint32_t>(all);
}

}  // namespace acre::tool
