// SPDX-License-Identifier: BSD-3-Clause
// Trees of switches as files describe them, of any shape.
//
// A tree whose switches of a level are all alike becomes a fat tree with one
// parent each, any other one a graph whose levels of groups are those of the
// switches. Nodes are numbered from left to right.
#pragma once

#include <acre/machines/networks/described_network.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace acre::machines {

struct tree_switch {
  std::vector<std::uint32_t> switches;           ///< that are below it
  std::vector<std::string> nodes;                ///< that hang on it
  double bandwidth = topology::usual_bandwidth;  ///< of the cables to what is below it
};

/// @param switches each but the root below exactly one other
/// @throws acre::error when the tree has no node, or more than 32 levels
[[nodiscard]] described_network network_of_tree(const std::vector<tree_switch>& switches,
                                                std::uint32_t root);

}  // namespace acre::machines
