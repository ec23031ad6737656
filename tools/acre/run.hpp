// SPDX-License-Identifier: BSD-3-Clause
// `acre run`.
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

/// CPUs this process may use: the default number of ranks.
[[nodiscard]] fabric::rank_t usable_cpus();

/// `acre run`: runs a job on this machine. @return 0, or the first failed rank's status, 128 + its
/// signal, 127 or 126 if the program cannot be run
[[nodiscard]] int run(const run_options& options);

}  // namespace acre::tool
