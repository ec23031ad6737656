// SPDX-License-Identifier: BSD-3-Clause
// Splits the rank grid into blocks of least surface along the machine's levels (Fürlinger et al.:
// DASH, Algorithm 1). If groups differ in size or no block tiles the grid, the block is split along
// a Hilbert curve.
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O(ranks * levels) time. Networks without levels have nodes only.
///
/// @throws acre::error on too few slots
[[nodiscard]] placement hierarchical(const problem& given);

}  // namespace acre::mapping
