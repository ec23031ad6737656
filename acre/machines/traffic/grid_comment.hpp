// SPDX-License-Identifier: BSD-3-Clause
// Comments in files of traffic that say in which grid the ranks stand, as `acre trace` writes them:
//
//     % cartesian communicator: dims 4x3 periods 1x0 ranks 0-5,9-11,6-8
//
// The ranks, in runs, are those of the cells row by row.
#pragma once

#include <acre/machines/traffic/line_reader.hpp>
#include <acre/mapping/known_grid.hpp>

#include <optional>

namespace acre::machines {

/// Reads the line that `lines` is at. Memory is taken for what is written alone, not for the ranks.
/// @return nothing where the comment says something else
/// @throws acre::error where it begins so and goes on otherwise
[[nodiscard]] std::optional<mapping::known_grid> read_grid_comment(line_reader& lines);

}  // namespace acre::machines
