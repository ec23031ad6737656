// SPDX-License-Identifier: BSD-3-Clause
// Mapping by graph similarity: traffic and machine are both put into the order of
// reverse Cuthill–McKee, in which neighbours stand close together, and matched one
// to one (Cuthill, McKee: Reducing the bandwidth of sparse symmetric matrices, 1969;
// Hoefler, Snir: Generic topology mapping strategies, 2011, section on RCM).
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// The vertices of a symmetric graph so that those with an edge between them stand close together:
/// breadth first from a vertex at the border, those of few edges first, turned round at the end.
/// O(edges log edges).
[[nodiscard]] std::vector<rank_t> reverse_cuthill_mckee(const traffic& pairs);

/// O(flows log flows + nodes^2) time. Nodes as near as any two of the job are neighbours; when the
/// job has more than 4,096 nodes, they are taken in a snake, or group by group, instead.
/// @throws acre::error when there are more ranks than slots
[[nodiscard]] placement graph_similarity(const problem& given);

}  // namespace acre::mapping
