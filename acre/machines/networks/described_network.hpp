// SPDX-License-Identifier: BSD-3-Clause
// Network read from a file, with its node names and warnings.
#pragma once

#include <acre/topology/network.hpp>

#include <memory>
#include <string>
#include <vector>

namespace acre::machines {

struct described_network {
  std::unique_ptr<const topology::network> network;
  /// Name of each node, or empty; an empty list without names.
  std::vector<std::string> node_names;
  /// True if the file also contains the job's allocation.
  bool has_allocation = false;
  std::vector<std::string> warnings = {};
};

}  // namespace acre::machines
