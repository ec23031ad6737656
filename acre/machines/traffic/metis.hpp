// SPDX-License-Identifier: BSD-3-Clause
// Traffic from the graphs that METIS reads: vertices are ranks, the weight of an
// edge is what its ends send to each other, in bytes each way.
//
//     % vertices edges format; then a line for each vertex: neighbour weight ...
//     3 2 001
//     2 8000
//     1 8000 3 4096
//     2 4096
//
// The format has a digit each for vertex sizes, vertex weights and edge weights;
// a fourth number says how many weights a vertex has (Karypis: METIS, manual of
// version 5.1, section 4.1.1). Without edge weights each edge is one byte. Sizes and
// weights of vertices say nothing about traffic and are passed over.
#pragma once

#include <acre/mapping/communication.hpp>

#include <string_view>

namespace acre::machines {

/// O(edges) time and memory. Nothing is allocated that the text has no bytes for.
/// @param text the whole file
/// @param name the communication's name, and what errors name
/// @return a communication without a grid
/// @throws acre::error that names the line and the cure
[[nodiscard]] mapping::communication read_metis(std::string_view text, std::string_view name);

}  // namespace acre::machines
