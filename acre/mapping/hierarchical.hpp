// SPDX-License-Identifier: BSD-3-Clause
// Mapping along the levels of the machine: groups, chassis, blades, nodes.
//
// The grid of ranks is cut into blocks of the least surface, one for each group of
// the highest level; each block into blocks for the groups of the next level; and so
// on down to the nodes. What a rank exchanges with its neighbours then crosses as
// high a level as seldom as possible (Fürlinger et al.: DASH, mapping of units to
// the network's hierarchy, Algorithm 1).
//
// Where a level's groups differ in size, or no block of their size tiles the grid,
// the block is cut along a Hilbert curve instead, in pieces of their sizes.
#pragma once

#include <acre/mapping/structured.hpp>

namespace acre::mapping {

/// O(ranks * levels) time. Works for any network; one without levels has its nodes only.
/// @throws acre::error when there are more ranks than slots
[[nodiscard]] placement hierarchical(const problem& given);

}  // namespace acre::mapping
