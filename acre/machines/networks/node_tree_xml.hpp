// SPDX-License-Identifier: BSD-3-Clause
// The places inside a node that hwloc 2 or 3 wrote down: `lstopo node.xml`.
//
// The file is read as what it is, objects in objects, and not by hwloc, which
// trusts its files and crashes on some that are damaged. The places are those
// that node_tree_hwloc.hpp finds on the machine itself.
#pragma once

#include <acre/machines/networks/source_text.hpp>
#include <acre/topology/node_tree.hpp>

namespace acre::machines {

/// @throws acre::error that names the line: what is no XML of hwloc 2 or 3, an object without type,
/// a processing unit without number or with that of another, more than 2^20 objects or 64 in one
/// another
[[nodiscard]] topology::node_place read_node_tree(const source_text& file);

}  // namespace acre::machines
