// A network that a file describes, and what the file calls its nodes.
#pragma once

#include <acre/topology/network.hpp>

#include <memory>
#include <string>
#include <vector>

namespace acre::topology {

struct described_network {
  std::unique_ptr<const topology::network> network;
  /// By number of node; empty when nodes have numbers only. A place of the machine where the file
  /// names no node has an empty name.
  std::vector<std::string> node_names;
};

}  // namespace acre::topology
