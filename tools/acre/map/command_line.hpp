// The words of `acre map`, and what its help says.
#pragma once

#include "map.hpp"

#include <CLI/CLI.hpp>

namespace acre::tool {

/// Adds the subcommand, which fills in `options`; these must outlive the parsing.
CLI::App* add_map(CLI::App& acre, map_options& options);

}  // namespace acre::tool
