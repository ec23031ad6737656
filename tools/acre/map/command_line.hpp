// SPDX-License-Identifier: BSD-3-Clause
// Options and help of `acre map`.
#pragma once

#include "../../command_line/command_line.hpp"
#include "map.hpp"

namespace acre::tool {

/// `options` must outlive the parsing.
void add_map(command_line::command& acre, map_options& options);

}  // namespace acre::tool
