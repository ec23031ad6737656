// SPDX-License-Identifier: BSD-3-Clause
// CP2K's heuristic, for comparison: matches Hilbert curves of rank grid and torus, for all
// permutations of its axes, by fewest hop-bytes. May be slower than the default order.
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O(ranks log ranks) time per permutation of up to four axes; above, one permutation.
///
/// @throws acre::error on too few slots, or without a grid network
[[nodiscard]] placement hilbert_torus(const problem& given);

}  // namespace acre::mapping
