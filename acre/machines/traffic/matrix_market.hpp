// SPDX-License-Identifier: BSD-3-Clause
// Reads traffic from Matrix Market files; entry (i, j) is the bytes from rank i-1 to rank j-1.
//
// Coordinate or array; real, integer or pattern (one byte); general or symmetric. Duplicates add
// up; the diagonal is dropped. Comments may specify rank grids (grid_comment.hpp).
#pragma once

#include <acre/mapping/communication.hpp>

#include <string_view>

namespace acre::machines {

/// O(entries) time and memory, limited by the text's size and most_ranks_of_file.
/// @param name for the result and errors
/// @throws acre::error with line and advice
[[nodiscard]] mapping::communication read_matrix_market(std::string_view text,
                                                        std::string_view name);

}  // namespace acre::machines
