// SPDX-License-Identifier: BSD-3-Clause
// The machine that a command line speaks of: a network, the nodes of it that the
// job has, their slots and their names.
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
  std::vector<std::string> node_names;  ///< in the order of the allocation's list
  bool has_own_names = false;           ///< as a file has them; those of a word are made up
  std::vector<std::string> warnings;    ///< what was assumed of the network
};

/// @param topology a specification, "torus:8x8x6", or a file of any kind of network
/// @param nodes all_nodes are those that the file of the network names, or all; a list is
/// "0-63,70" or "n[01-16]:24,n20:12", or a hostfile
/// @param slots of each node that no number is given for
/// @throws acre::error that says what is wrong
[[nodiscard]] described_machine read_machine(const std::string& topology, const job_nodes& nodes,
                                             std::uint32_t slots);

/// @return empty for an undivided node
/// @throws acre::error when a file is wrong
[[nodiscard]] node_shape read_node_shape(const node_places& inside);

}  // namespace acre::tool
