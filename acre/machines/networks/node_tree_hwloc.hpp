// SPDX-License-Identifier: BSD-3-Clause
// Core hierarchy of this node from hwloc (docs/topology.md). Groups, dies and L1 caches are
// replaced by their children.
#pragma once

#include <acre/topology/node_tree.hpp>

namespace acre::machines {

/// Returns the part of this machine that the process may use.
/// @throws acre::error if hwloc fails
[[nodiscard]] topology::node_place this_node();

}  // namespace acre::machines
