// SPDX-License-Identifier: BSD-3-Clause
// `acre run`: runs a job on this machine.
#pragma once

#include <acre/fabric/message.hpp>

#include <string>
#include <vector>

namespace acre::tool {

struct run_options {
  fabric::rank_t ranks = 1;
  bool prefix = false;
  std::vector<std::string> command;
};

inline constexpr fabric::rank_t most_ranks = 4096;

/// Default number of ranks: CPUs this process may use.
[[nodiscard]] fabric::rank_t usable_cpus();

/// Returns 0, the first failed rank's status, 128 + its signal, or 127 or 126 if the program cannot
/// be run.
[[nodiscard]] int run(const run_options& options);

}  // namespace acre::tool
