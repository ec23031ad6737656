// SPDX-License-Identifier: BSD-3-Clause
// Options and help of `acre trace` and `acre reorder`.
#pragma once

#include "../command_line/command_line.hpp"
#include "reorder.hpp"
#include "trace.hpp"

namespace acre::tool {

/// `options` must outlive the parsing; remaining words become `options.command`.
command_line::command& add_trace(command_line::command& acre, trace_options& options);
command_line::command& add_reorder(command_line::command& acre, reorder_options& options);

}  // namespace acre::tool
