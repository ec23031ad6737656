// SPDX-License-Identifier: BSD-3-Clause
// Runs a command line such that all MPI programs of its job get Acre's layer between them and MPI
// (tools/mpi), with settings in their environment.
#pragma once

#include "mpi_program.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace acre::tool {

struct preload {
  std::string purpose;  ///< the subcommand, for messages
  std::vector<std::string> command;
  std::optional<mpi> which;                                   ///< not given: found by itself
  std::vector<std::pair<std::string, std::string>> settings;  ///< environment variables
  std::string trace;    ///< the file for what the ranks send; empty: it is not asked for
  std::string parts{};  ///< the folder for windows of it; empty: there are none
};

/// Runs it and waits for its end.
/// @return the status to exit with: the command's, 128 + the signal that killed it, or 1 when it
///         ended well without the trace that it was asked for
/// @throws acre::error when the command line cannot be run so
[[nodiscard]] int run_preloaded(const preload& what);

/// The command line with `variables` for all ranks, where its launcher has an option for that.
/// @return nullopt when it has none: what it starts has the launcher's own environment
[[nodiscard]] std::optional<std::vector<std::string>> with_variables(
    const std::vector<std::string>& command, std::optional<mpi> launcher,
    const std::vector<std::pair<std::string, std::string>>& variables);

}  // namespace acre::tool
