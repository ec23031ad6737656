// SPDX-License-Identifier: BSD-3-Clause
// Lines of a file, divided among members.
#pragma once

#include <acre/global/team/team.hpp>
#include <acre/global/team/team_file.hpp>

#include <cstddef>
#include <string>

namespace acre::matrix_files {

/// Offset after the first `lines` line breaks. Failures: file.is_good().
[[nodiscard]] std::size_t end_of_lines(global::team_file& file, std::size_t lines);

/// Lines that begin in a member's share of the bytes from `begin` on.
[[nodiscard]] std::string share_of_lines(global::team_file& file, std::size_t begin, rank_t member,
                                         rank_t members);

}  // namespace acre::matrix_files
