// SPDX-License-Identifier: BSD-3-Clause
// The hosts that a cluster's scheduler has given this shell, by its environment: `acre run` uses
// the one that it runs on, and whoever has been given more wants to hear that.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace acre::tool {

struct allocation {
  std::string scheduler;  ///< for people: "Slurm"
  std::size_t hosts;
  std::string instead;  ///< the command that starts ranks on all of them, up to their number
};

/// Of Slurm, PBS, LSF or Grid Engine; nothing where no scheduler says what it gave, or where it has
/// started this process once on each host.
[[nodiscard]] std::optional<allocation> current_allocation();

/// Says on standard error that only this host is used, where there are others.
void mention_other_hosts(std::size_t ranks);

}  // namespace acre::tool
