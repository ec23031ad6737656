// SPDX-License-Identifier: BSD-3-Clause
// Greedy mapping: places the rank that exchanges most with the placed ranks into the free slot of
// least bytes times distance. (Hoefler, Snir: Generic topology mapping strategies for large-scale
// parallel architectures, 2011, Algorithm 1.)
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O(flows * nodes) time, O(ranks + flows) memory.
///
/// @throws acre::error on too few slots
[[nodiscard]] placement greedy(const problem& given);

}  // namespace acre::mapping
