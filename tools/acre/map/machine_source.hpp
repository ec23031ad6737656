// The machine that a command line speaks of: a network, the nodes of it that the
// job has, their slots and their names.
#pragma once

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
/// @param nodes a list, "0-63,70" or "n[01-16]:24,n20:12", or a hostfile; "job" for what the job
/// manager says; empty for those that the file of the network names, or all
/// @param slots of each node that no number is given for
/// @throws acre::error that says what is wrong
[[nodiscard]] described_machine read_machine(const std::string& topology, const std::string& nodes,
                                             std::uint32_t slots);

/// How many places each place inside of a node holds, the outermost first, down to its cores.
/// @param inside "2x4x8", a file of hwloc's lstopo, or "here": the node that this runs on
/// @throws acre::error that says what is wrong
[[nodiscard]] std::vector<std::uint32_t> read_node_shape(const std::string& inside);

}  // namespace acre::tool
