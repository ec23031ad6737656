// SPDX-License-Identifier: BSD-3-Clause
// Traffic from Matrix Market files: the entry in row i and column j is what rank
// i-1 sends to rank j-1, in bytes.
//
//     %%MatrixMarket matrix coordinate real general
//     % ranks ranks entries, then an entry a line: from to bytes
//     4 4 2
//     1 2 8e6
//     3 1 4096
//
// Coordinate and array files of real numbers, integers or patterns (whose entries
// are one byte each), general or symmetric (matrix_market_grammar.hpp). Entries
// of the same ends add up; what a rank sends to itself is dropped. Comments at the
// head may say which grids the ranks form (grid_comment.hpp).
#pragma once

#include <acre/mapping/communication.hpp>

#include <string_view>

namespace acre::machines {

/// O(entries) time and memory. Nothing is allocated that the text has no bytes for, but for the
/// ranks, of which there are most_ranks_of_file at most.
/// @param text the whole file
/// @param name the name of what is read, and what errors name
/// @return traffic without a grid, but with those that are known
/// @throws acre::error that names the line and the cure
[[nodiscard]] mapping::communication read_matrix_market(std::string_view text,
                                                        std::string_view name);

}  // namespace acre::machines
