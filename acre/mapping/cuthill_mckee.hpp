// SPDX-License-Identifier: BSD-3-Clause
// Matches reverse Cuthill–McKee orders of traffic and machine (Cuthill, McKee: Reducing the
// bandwidth of sparse symmetric matrices, 1969; Hoefler, Snir: Generic topology mapping strategies,
// 2011).
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// Order of the ranks that reduces the bandwidth of a symmetric graph. O(edges log
/// edges).
[[nodiscard]] std::vector<rank_t> reverse_cuthill_mckee(const traffic& pairs);

/// O(flows log flows + nodes^2) time. Nodes at the smallest distance are neighbours. Above 4,096
/// nodes or 64 neighbours per node, nodes are ordered by group (in grids along a snake).
///
/// @throws acre::error on too few slots
[[nodiscard]] placement graph_similarity(const problem& given);

}  // namespace acre::mapping
