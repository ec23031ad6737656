// SPDX-License-Identifier: BSD-3-Clause
// A network that a file describes, what the file calls its nodes, and what had to
// be assumed of what the file does not say.
#pragma once

#include <acre/topology/network.hpp>

#include <memory>
#include <string>
#include <vector>

namespace acre::machines {

struct described_network {
  std::unique_ptr<const topology::network> network;
  /// By number of node; empty when nodes have numbers only. A place of the machine where the file
  /// names no node has an empty name.
  std::vector<std::string> node_names;
  /// Whether its file says which nodes the job has: job_nodes.hpp reads that.
  bool has_allocation = false;
  /// What was assumed, or left out, where: "topology.conf:3: …".
  std::vector<std::string> warnings = {};
};

}  // namespace acre::machines
