// SPDX-License-Identifier: BSD-3-Clause
// Reads rank grids in comments of traffic files, row by row:
//
//     % cartesian communicator: dims 4x3 periods 1x0 ranks 0-5,9-11,6-8
#pragma once

#include <acre/machines/traffic/line_reader.hpp>
#include <acre/mapping/known_grid.hpp>

#include <optional>

namespace acre::machines {

/// Reads the current line; memory is proportional to the text.
/// @return empty for another comment
/// @throws acre::error if malformed
[[nodiscard]] std::optional<mapping::known_grid> read_grid_comment(line_reader& lines);

}  // namespace acre::machines
