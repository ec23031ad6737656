// SPDX-License-Identifier: BSD-3-Clause
// CP2K's heuristic: ranks along a Hilbert curve of their grid take the torus's nodes direction by
// direction, first those with coordinate 0 in it, then 1, and so on (CP2K of 2012 to 2015,
// ma_process_mapping.F). It may be slower than the default order.
#pragma once

#include <acre/mapping/structured.hpp>

#include <cstddef>

namespace acre::mapping {

/// Fills the nodes along one axis, those with one coordinate in the allocation's order. O(ranks log
/// ranks) time.
///
/// @param axis 0 for x
/// @throws acre::error on too few slots, or if the network's grid lacks the axis
[[nodiscard]] placement cp2k_direction(const problem& given, std::size_t axis);

/// Direction that CP2K selects by hop-bytes: x unless it exceeds y by 40 % or another one by 20 %,
/// else the lowest of the others; packed() unless that has more. O(ranks log ranks + flows) time
/// per direction.
///
/// @throws acre::error on too few slots, without a grid network, or after `given.until`
[[nodiscard]] placement cp2k_heuristic(const problem& given);

}  // namespace acre::mapping
