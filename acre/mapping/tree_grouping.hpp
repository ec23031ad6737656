// SPDX-License-Identifier: BSD-3-Clause
// Tree grouping: ranks that talk most are put together, from the leaves up.
//
// Ranks are gathered into groups of the size of a node, a group grown rank by rank
// by what exchanges most with it; nodes' groups are then gathered into groups of
// the size of a blade, and so on up the levels of the network (Jeannot, Mercier:
// Near-optimal placement of MPI processes on hierarchical NUMA architectures, 2010:
// TreeMatch; its groups are found by a search, these by growing).
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O(flows log ranks) time a level. Where nodes differ in slots, or groups in nodes, levels above
/// the nodes keep the order of their first ranks.
/// @throws acre::error when there are more ranks than slots
[[nodiscard]] placement tree_grouping(const problem& given);

}  // namespace acre::mapping
