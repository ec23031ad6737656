// SPDX-License-Identifier: BSD-3-Clause
// Splits the rank grid along the machine's levels into blocks of least surface (Fürlinger et al.:
// DASH, Algorithm 1), or along a Hilbert curve if groups hold different numbers of ranks, no block
// tiles the grid, or it has empty cells.
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O(ranks (levels + log ranks)) time. A network without levels is split into nodes only.
///
/// @throws acre::error on too few slots
[[nodiscard]] placement hierarchical(const problem& given);

}  // namespace acre::mapping
