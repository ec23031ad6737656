// SPDX-License-Identifier: BSD-3-Clause
// Reads traffic from METIS graphs (Karypis: METIS 5.1 manual, 4.1.1): vertices are ranks, edge
// weights bytes in each direction, by default 1. Vertex sizes and weights are ignored.
//
//     % vertices edges format; then a line for each vertex: neighbour weight ...
//     3 2 001
//     2 8000
//     1 8000 3 4096
//     2 4096
#pragma once

#include <acre/mapping/communication.hpp>

#include <string_view>

namespace acre::machines {

/// O(edges) time and memory, limited by the text's size.
/// @param name for the result and errors
/// @throws acre::error with line and advice
[[nodiscard]] mapping::communication read_metis(std::string_view text, std::string_view name);

}  // namespace acre::machines
