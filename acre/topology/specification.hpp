// SPDX-License-Identifier: BSD-3-Clause
// Networks said in a word.
//
// | specification                  | network                                                     |
// |--------------------------------|-------------------------------------------------------------|
// | torus:8x8x6                    | a torus; any number of dimensions                           |
// | torus:8x8x6m                   | the same, its last dimension without a way around           |
// | mesh:16x16                     | no way around in any                                        |
// | torus:8x8x6*2                  | two nodes a router                                          |
// | torus:8x8x6@10,10,5            | bandwidths in GB/s; one for all will do                     |
// | hypercube:7                    | 2^7 nodes                                                   |
// | fat-tree:2;4,4;1,2;1,2         | levels; children; parents; cables to each, lowest first     |
// | dragonfly:8x6x16x4             | groups, chassis a group, blades a chassis, nodes a blade    |
// | dragonfly:8x6x16x4v            | the same; messages go by way of a third group (Valiant)     |
// | tree:4x8x16                    | 4 groups of 8 groups of 16 nodes; one way up from each      |
//
// Bandwidths are those of the dimensions of a torus, of the levels of a tree from the lowest, and
// of a dragonfly's links to nodes, blades, chassis and groups.
#pragma once

#include <acre/topology/network.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace acre::topology {

/// Makes the network that a specification names.
/// @throws acre::error that says where the specification is wrong
[[nodiscard]] std::unique_ptr<const network> make_network(std::string_view specification);

/// The nodes that a list names, in its order: "0-63,70".
/// @throws acre::error that says where the list is wrong, or that it names more than 2^24 nodes
[[nodiscard]] std::vector<node_t> make_nodes(std::string_view list);

}  // namespace acre::topology
