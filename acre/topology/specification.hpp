// Networks said in a word.
//
// | specification                  | network                                                     |
// |--------------------------------|-------------------------------------------------------------|
// | torus:8x8x6                    | a torus; any number of dimensions                           |
// | torus:8x8x6m                   | the same, its last dimension without a way around           |
// | mesh:16x16                     | no way around in any                                        |
// | torus:8x8x6*2                  | two nodes a router                                          |
// | torus:8x8x6@10,10,5            | bandwidths of the dimensions in GB/s; one for all will do   |
// | hypercube:7                    | 2^7 nodes                                                   |
// | fat-tree:2;4,4;1,2;1,2         | levels; children; parents; cables to each, lowest first     |
// | dragonfly:8x6x16x4             | groups, chassis a group, blades a chassis, nodes a blade    |
// | tree:4x8x16                    | 4 groups of 8 groups of 16 nodes; one way up from each      |
#pragma once

#include <acre/topology/network.hpp>

#include <memory>
#include <string_view>

namespace acre::topology {

/// Makes the network that a specification names.
/// @throws acre::error that says where the specification is wrong
[[nodiscard]] std::unique_ptr<const network> make_network(std::string_view specification);

}  // namespace acre::topology
