// SPDX-License-Identifier: BSD-3-Clause
// The places inside the node that this process runs on, as hwloc finds them.
//
// hwloc hangs NUMA domains beside the tree of cores. Here the first domain of a
// place stands between that place and its cores. Groups, dies and caches of the
// first level are left out, what is in them is not.
#pragma once

#include <acre/topology/node_tree.hpp>

namespace acre::machines {

/// This machine, as far as the process may use it.
/// @throws acre::error when hwloc cannot look at it
[[nodiscard]] topology::node_place this_node();

}  // namespace acre::machines
