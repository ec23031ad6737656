// SPDX-License-Identifier: BSD-3-Clause
// Maps by groups of a node's size, grown from the ranks that exchange most, then joined up the
// levels. (Jeannot, Mercier: Near-optimal placement of MPI processes on hierarchical NUMA
// architectures, 2010.)
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O(flows log ranks) time per level. Groups are joined only below the first level of groups that
/// differ in size, and not if the nodes' slots differ.
///
/// @throws acre::error on too few slots, or after `given.until`
[[nodiscard]] placement tree_grouping(const problem& given);

}  // namespace acre::mapping
