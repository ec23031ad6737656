// SPDX-License-Identifier: BSD-3-Clause
// Size of a node or grid.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace acre::tool {

/// Product of `extents`, capped at 2^31.
[[nodiscard]] inline std::uint32_t places_in(std::span<const std::uint32_t> extents) {
  std::uint64_t all = 1;
  for (const std::uint32_t each : extents) all = std::min(all * each, std::uint64_t{1} << 31);
  return static_cast<std::uint32_t>(all);
}

}  // namespace acre::tool
