// SPDX-License-Identifier: BSD-3-Clause
// The words of `acre map`, and what its help says.
#pragma once

#include "../../command_line/command_line.hpp"
#include "map.hpp"

namespace acre::tool {

/// Adds `acre map`; `options` must outlive the parsing.
void add_map(command_line::command& acre, map_options& options);

}  // namespace acre::tool
