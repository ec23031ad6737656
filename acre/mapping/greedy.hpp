// SPDX-License-Identifier: BSD-3-Clause
// Greedy mapping: the rank that exchanges most with the placed ranks is placed where bytes times
// distance to them is least. (Hoefler, Snir: Generic topology mapping strategies for large-scale
// parallel architectures, 2011, Algorithm 1.)
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O((ranks + flows) * nodes) time, O(ranks + flows) memory.
///
/// @throws acre::error on too few slots, or after `given.until`
[[nodiscard]] placement greedy(const problem& given);

}  // namespace acre::mapping
