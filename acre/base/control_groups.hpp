// SPDX-License-Identifier: BSD-3-Clause
// Control groups, version 1 or 2, that limit this process's memory. They nest; the smallest limit
// applies.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace acre {

struct control_group {
  std::string name;
  std::filesystem::path folder;
  bool is_second_version = false;
};

/// Groups of this process, outer before inner.
/// @param root  contains proc and sys
[[nodiscard]] std::vector<control_group> memory_control_groups(
    const std::filesystem::path& root = "/");

/// Limit in bytes, or no_limit.
[[nodiscard]] std::uint64_t memory_limit_of(const control_group& group);

/// Events of a group; with version 2, also events of its subgroups.
struct out_of_memory_counts {
  std::uint64_t reached = 0;
  std::uint64_t killed = 0;  ///< processes killed for lack of group or host memory
};
[[nodiscard]] out_of_memory_counts out_of_memory_counts_of(const control_group& group);

}  // namespace acre
