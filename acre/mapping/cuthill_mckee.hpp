// SPDX-License-Identifier: BSD-3-Clause
// Matches reverse Cuthill–McKee orders of traffic and machine (Cuthill, McKee: Reducing the
// bandwidth of sparse symmetric matrices, 1969; Hoefler, Snir: Generic topology mapping strategies,
// 2011).
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// Order that reduces a symmetric graph's bandwidth, from a peripheral vertex. O(edges log edges).
[[nodiscard]] std::vector<rank_t> reverse_cuthill_mckee(const traffic& pairs);

/// O(flows log flows + nodes^2) time; nearest nodes are neighbours. Above 4,096 nodes: a snake, or
/// ordered by group.
///
/// @throws acre::error on too few slots
[[nodiscard]] placement graph_similarity(const problem& given);

}  // namespace acre::mapping
