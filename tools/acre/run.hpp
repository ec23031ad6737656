// SPDX-License-Identifier: BSD-3-Clause
// `acre run`: runs a job on this machine.
#pragma once

#include <acre/fabric/message.hpp>

#include <string>
#include <vector>

namespace acre::tool {

struct run_part {
  fabric::rank_t ranks = 1;
  std::vector<std::string> command;
  std::vector<std::string> settings;  ///< "NAME=VALUE"
  std::string folder;                 ///< may be empty
};

struct run_options {
  bool prefix = false;
  double timeout = 0;  ///< seconds; 0: none
  std::vector<run_part> parts;

  [[nodiscard]] fabric::rank_t ranks() const;
};

inline constexpr fabric::rank_t most_ranks = 4096;

/// Default number of ranks: CPUs this process may use.
[[nodiscard]] fabric::rank_t usable_cpus();

/// As of timeout(1).
inline constexpr int timed_out = 124;

/// Returns 0, the first failed rank's status, 128 + its signal, timed_out, or 127 or 126 if a
/// program cannot be run.
[[nodiscard]] int run(const run_options& options);

}  // namespace acre::tool
