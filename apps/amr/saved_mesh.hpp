// SPDX-License-Identifier: BSD-3-Clause
// Mesh checkpoints: problem, steps, and all nodes as one collection, ordered by rank, then along
// the curve. Readers get equal numbers of nodes on any number of ranks.
#pragma once

#include <acre/agas/collection.hpp>

#include <apps/amr/tree_node.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace acre::amr {

struct saved_mesh {
  problem given;
  std::uint32_t steps = 0;
  object_collection<tree_node> nodes;
};

/// Collective. @param mine  this rank's nodes
/// @throws acre::error on all ranks if it cannot be written
void save_mesh(const problem& given, std::uint32_t steps, std::vector<tree_node> mine,
               const std::string& path);

/// Collective.
/// @throws acre::error on all ranks if the file is missing, damaged or no mesh
[[nodiscard]] saved_mesh load_mesh(const std::string& path);

}  // namespace acre::amr
