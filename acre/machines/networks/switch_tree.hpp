// SPDX-License-Identifier: BSD-3-Clause
// Builds networks of switch trees: with uniform levels a fat tree, else a graph grouped by
// switches. Nodes are numbered left to right.
#pragma once

#include <acre/machines/networks/described_network.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace acre::machines {

struct tree_switch {
  std::vector<std::uint32_t> switches;
  std::vector<std::string> nodes;
  double bandwidth = topology::usual_bandwidth;  ///< of each cable to a child
};

/// @param switches each except `root` is the child of exactly one other
/// @throws acre::error without nodes or over 32 levels
[[nodiscard]] described_network network_of_tree(const std::vector<tree_switch>& switches,
                                                std::uint32_t root);

}  // namespace acre::machines
