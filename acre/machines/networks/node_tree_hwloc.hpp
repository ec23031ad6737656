// SPDX-License-Identifier: BSD-3-Clause
// Core hierarchy of this node from hwloc. An object's first NUMA domain becomes the parent of the
// object's cores; groups, dies and L1 caches are skipped, their children kept.
#pragma once

#include <acre/topology/node_tree.hpp>

namespace acre::machines {

/// Returns the part of this machine that the process may use.
/// @throws acre::error if hwloc fails
[[nodiscard]] topology::node_place this_node();

}  // namespace acre::machines
