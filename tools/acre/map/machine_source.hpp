// SPDX-License-Identifier: BSD-3-Clause
// Reads the machine that the command line describes.
#pragma once

#include "map.hpp"
#include <acre/topology/allocation.hpp>
#include <acre/topology/network.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace acre::tool {

struct described_machine {
  std::unique_ptr<const topology::network> network;
  topology::allocation allocation;
  std::vector<std::string> node_names;  ///< in allocation order
  bool has_own_names = false;           ///< false: generated names
  std::vector<std::string> warnings;
};

/// @param topology a specification or a network file
/// @param nodes all_nodes: the file's allocation, or all
/// @param slots default per node
/// @throws acre::error
[[nodiscard]] described_machine read_machine(const std::string& topology, const job_nodes& nodes,
                                             std::uint32_t slots);

/// Empty for an undivided node.
/// @throws acre::error
[[nodiscard]] node_shape read_node_shape(const node_places& inside);

}  // namespace acre::tool
