// SPDX-License-Identifier: BSD-3-Clause
// Greedy mapping: rank after rank, next to those it talks to.
//
// The next rank is always the one that exchanges most with the ranks already
// placed; it goes to the free slot where its bytes times their distances are least.
// (Hoefler, Snir: Generic topology mapping strategies for large-scale parallel
// architectures, 2011, Algorithm 1; there it goes near the heaviest peer alone.)
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O(flows * nodes) time, O(ranks + flows) memory.
/// @throws acre::error when there are more ranks than slots
[[nodiscard]] placement greedy(const problem& given);

}  // namespace acre::mapping
