// SPDX-License-Identifier: BSD-3-Clause
// A mesh in a file, from which a run goes on: its problem, how far it was, and all its nodes.
//
// Nodes are members of a collection there, in the order of ranks, and on each rank along the curve.
// Who reads it has pieces of equal numbers of them, on however many ranks.
#pragma once

#include <acre/agas/collection.hpp>

#include <apps/amr/tree_node.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace acre::amr {

struct saved_mesh {
  problem given;
  std::uint32_t steps = 0;  ///< that were taken
  object_collection<tree_node> nodes;
};

/// Collective. @param mine  the nodes of this rank
/// @throws acre::error on all ranks when it cannot be written
void save_mesh(const problem& given, std::uint32_t steps, std::vector<tree_node> mine,
               const std::string& path);

/// Collective.
/// @throws acre::error on all ranks when there is no such file, or it is none of a mesh, or damaged
[[nodiscard]] saved_mesh load_mesh(const std::string& path);

}  // namespace acre::amr
