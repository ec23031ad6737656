// SPDX-License-Identifier: BSD-3-Clause
// Runs a command with Acre's MPI layer (tools/mpi) preloaded.
#pragma once

#include "mpi_program.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace acre::tool {

struct preload {
  std::string purpose;  ///< name of the subcommand
  std::vector<std::string> command;
  std::optional<mpi> which;
  std::vector<std::pair<std::string, std::string>> settings;  ///< environment variables
  std::string trace;                                          ///< traffic file; may be empty
  std::string parts{};                                        ///< folder for windows; may be empty
};

/// Command's status, 128 + signal, 127 if it cannot start, or 1 if it succeeded without
/// the requested trace.
/// @throws acre::error if it cannot be run with the layer
[[nodiscard]] int run_preloaded(const preload& what);

/// Adds `variables` as launcher options.
/// @return nullopt if the launcher is unknown: the command inherits the environment
[[nodiscard]] std::optional<std::vector<std::string>> with_variables(
    const std::vector<std::string>& command, std::optional<mpi> launcher,
    const std::vector<std::pair<std::string, std::string>>& variables);

}  // namespace acre::tool
