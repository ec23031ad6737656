// SPDX-License-Identifier: BSD-3-Clause
// `acre run`: starts the ranks of a job on this machine and looks after them
// until the last has ended.
#pragma once

#include <acre/fabric/message.hpp>

#include <string>
#include <vector>

namespace acre::tool {

struct run_options {
  fabric::rank_t ranks = 1;
  bool prefix = false;               ///< "[3] " before each line of output
  std::vector<std::string> command;  ///< the program and its arguments
};

/// How many ranks one machine may get.
inline constexpr fabric::rank_t most_ranks = 4096;

/// How many CPUs this process may use: the number of ranks when none is given.
[[nodiscard]] fabric::rank_t usable_cpus();

/// Runs the job to its end.
/// @return the status to exit with: 0 when all ranks ended well, else the first
///         failed rank's, 128 + the signal for one that was killed, 127 or 126
///         when the program does not exist or cannot be run
[[nodiscard]] int run(const run_options& options);

}  // namespace acre::tool
