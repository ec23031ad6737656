// SPDX-License-Identifier: BSD-3-Clause
// Hosts allocated by a scheduler; `acre run` uses only its own host and warns.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace acre::tool {

struct allocation {
  std::string scheduler;
  std::size_t hosts;
  std::string instead;  ///< command that starts ranks on all hosts
};

/// Allocation by Slurm, PBS, LSF or Grid Engine; empty without one or in Slurm's tasks.
[[nodiscard]] std::optional<allocation> current_allocation();

void mention_other_hosts(std::size_t ranks);

}  // namespace acre::tool
