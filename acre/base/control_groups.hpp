// SPDX-License-Identifier: BSD-3-Clause
// The control groups of this process that limit memory, of version 1 or 2.
//
// Each of them is in another one, and the least limit counts. A container may see its own group as
// the outermost one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace acre {

struct control_group {
  std::string name;              ///< as this process sees it: "/user.slice/job 7"
  std::filesystem::path folder;  ///< where the kernel shows it
  bool is_second_version = false;
};

/// Those that can be seen, an inner one after the one that it is in.
/// @param root  where /proc and /sys are
[[nodiscard]] std::vector<control_group> memory_control_groups(
    const std::filesystem::path& root = "/");

/// @return no_limit where it has none
[[nodiscard]] std::uint64_t memory_limit_of(const control_group& group);

/// What the kernel has counted of a group, and of the groups in it where that is of version 2.
struct out_of_memory_counts {
  std::uint64_t reached = 0;  ///< the limit of the group, so that a process was to be ended
  std::uint64_t killed = 0;   ///< processes ended for lack of memory, of the group's or the host's
};
[[nodiscard]] out_of_memory_counts out_of_memory_counts_of(const control_group& group);

}  // namespace acre
