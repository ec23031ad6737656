// The words of `acre trace` and `acre reorder`, and what their help says.
#pragma once

#include "reorder.hpp"
#include "trace.hpp"

#include <CLI/CLI.hpp>

namespace acre::tool {

/// Each adds its subcommand, which fills in `options`; these must outlive the parsing. What is to
/// be run remains, for `options.command`.
CLI::App* add_trace(CLI::App& acre, trace_options& options);
CLI::App* add_reorder(CLI::App& acre, reorder_options& options);

}  // namespace acre::tool
