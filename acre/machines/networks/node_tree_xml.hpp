// SPDX-License-Identifier: BSD-3-Clause
// Core hierarchy from `lstopo node.xml`, parsed without hwloc, which crashes on some damaged files.
#pragma once

#include <acre/machines/networks/source_text.hpp>
#include <acre/topology/node_tree.hpp>

namespace acre::machines {

/// @throws acre::error with the line: no hwloc 2 or 3, a missing type, a missing or duplicate unit,
/// over 2^20 objects or 64 levels
[[nodiscard]] topology::node_place read_node_tree(const source_text& file);

}  // namespace acre::machines
