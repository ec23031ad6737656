// SPDX-License-Identifier: BSD-3-Clause
// Parses network specifications (docs/topology.md).
//
// | torus:8x8x6            | any number of dimensions                        |
// | torus:8x8x6m           | last dimension without wrap-around              |
// | mesh:16x16             | no wrap-around                                  |
// | torus:8x8x6*2          | two nodes per router                            |
// | torus:8x8x6@10,10,5    | GB/s per dimension, level or kind; the last repeats |
// | hypercube:7            | 2^7 nodes                                       |
// | fat-tree:2;4,4;1,2;1,2 | levels; children; parents; cables, lowest first |
// | dragonfly:8x6x16x4     | groups, chassis, blades, nodes; v: Valiant      |
// | tree:4x8x16            | 4 groups of 8 groups of 16 nodes                |
#pragma once

#include <acre/topology/network.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace acre::topology {

/// @throws acre::error with the position
[[nodiscard]] std::unique_ptr<const network> make_network(std::string_view specification);

/// Parses "0-63,70".
/// @throws acre::error with the position; for over 2^24 nodes
[[nodiscard]] std::vector<node_t> make_nodes(std::string_view list);

}  // namespace acre::topology
