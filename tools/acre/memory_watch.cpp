// SPDX-License-Identifier: BSD-3-Clause
#include "memory_watch.hpp"

#include <acre/base/environment.hpp>
#include <acre/base/resource_limits.hpp>

#include <fstream>
#include <utility>

namespace acre::tool {
namespace {

/// Kills since boot, of all groups.
std::uint64_t kills_of_host(const std::filesystem::path& root) {
  std::ifstream file(root / "proc/vmstat");
  std::string name;
  for (std::uint64_t number = 0; file >> name >> number;) {
    if (name == "oom_kill") return number;
  }
  return 0;
}

}  // namespace

memory_watch::memory_watch(std::filesystem::path root)
    : root_(std::move(root)), of_host_(kills_of_host(root_)) {
  for (control_group& each : memory_control_groups(root_)) {
    const out_of_memory_counts before = out_of_memory_counts_of(each);
    groups_.push_back({std::move(each), before});
  }
}

std::string memory_watch::what_ran_out() const {
  const watched* reached = nullptr;  // innermost group at its limit
  const watched* least = nullptr;
  bool has_killed = false;
  for (const watched& each : groups_) {
    const out_of_memory_counts now = out_of_memory_counts_of(each.group);
    has_killed |= now.killed > each.before.killed;
    const std::uint64_t limit = memory_limit_of(each.group);
    if (limit >= no_limit / 4) continue;  // version 1 reports no limit as a huge number
    if (now.reached > each.before.reached) reached = &each;
    if (least == nullptr || limit < memory_limit_of(least->group)) least = &each;
  }
  if (reached == nullptr) reached = least;  // assumed if no count has risen (version 1)
  if (has_killed && reached != nullptr) {
    return "the control group " + reached->group.name + " has reached its limit of " +
           format_size(memory_limit_of(reached->group)) +
           " of memory (the kernel's count oom_kill has risen)";
  }
  if (has_killed || kills_of_host(root_) > of_host_) {
    return "the kernel has killed a process of this host because it is out of memory (oom_kill in "
           "/proc/vmstat has risen)";
  }
  return {};
}

}  // namespace acre::tool
