// SPDX-License-Identifier: BSD-3-Clause
// Builds networks of switch trees of any shape: with uniform levels a fat tree, else a graph
// grouped by switches. Nodes are numbered left to right.
#pragma once

#include <acre/machines/networks/described_network.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace acre::machines {

struct tree_switch {
  std::vector<std::uint32_t> switches;  ///< children
  std::vector<std::string> nodes;
  double bandwidth = topology::usual_bandwidth;  ///< downward cables
};

/// @param switches each except the root is child of exactly one
/// @throws acre::error without nodes or over 32 levels
[[nodiscard]] described_network network_of_tree(const std::vector<tree_switch>& switches,
                                                std::uint32_t root);

}  // namespace acre::machines
