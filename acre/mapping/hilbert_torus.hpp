// SPDX-License-Identifier: BSD-3-Clause
// Matches Hilbert curves of rank grid and torus, by the axes of fewest hop-bytes. May be slower
// than the default order.
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O(ranks log ranks + flows) time per permutation; above four axes only the identity is tried.
///
/// @throws acre::error on too few slots, without a grid network, or after `given.until`
[[nodiscard]] placement hilbert_torus(const problem& given);

}  // namespace acre::mapping
