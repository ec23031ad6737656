// SPDX-License-Identifier: BSD-3-Clause
// The heuristic of CP2K's matrix multiplication: a Hilbert curve through the grid
// of ranks is laid along Hilbert curves through the torus, one for each order of
// its directions, and the one of the fewest hop-bytes is taken, if these are fewer
// than those of the default order. Judging by hop-bytes, it may take a mapping that
// is slower than the default: it is here to be compared with.
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O(ranks log ranks) time for each order of at most four directions; of more, the first is taken.
/// @throws acre::error when there are more ranks than slots, or the network is no grid
[[nodiscard]] placement hilbert_torus(const problem& given);

}  // namespace acre::mapping
