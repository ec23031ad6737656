// SPDX-License-Identifier: BSD-3-Clause
// How much memory a rank may count on, before it has any.
//
// That is less than the host has where an administrator, a container or a batch system says so:
// by control groups, of which each is in another and the least counts, and by limits of the
// process (ulimit). The former count what is touched; the latter also what is only reserved, and
// a segment is mostly that.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace acre::launch {

/// What the process's control groups allow, of version 1 or 2, and those that they are in.
/// @param root where /proc and /sys are
/// @return no_limit where none of them does
[[nodiscard]] std::uint64_t control_group_bytes(const std::filesystem::path& root = "/");

/// How many bytes of addresses this process has in use.
[[nodiscard]] std::uint64_t addresses_in_use(const std::filesystem::path& root = "/");

/// Of addresses and of a file's length, the least that this process may still take; its soft
/// limits are raised when it does.
[[nodiscard]] std::uint64_t reservable_bytes();

/// What the segments of a node take.
struct segment_room {
  std::uint64_t file_bytes = 0;     ///< of the file that they are
  std::uint64_t address_bytes = 0;  ///< in each process
  std::uint64_t heaps = 1;          ///< that are most of both
  std::uint64_t heap_bytes = 0;     ///< each
};

/// Sees to it that the limits of this process allow these addresses, and the file, which is made
/// while a file_limit_lifted lives. A soft limit of addresses is raised, for good, by as much as is
/// taken, so that what the program takes beside it stays as limited as it was.
/// @throws acre::error that names the limit, and says what to do
void require_room(const segment_room& wanted);

/// While it lives the limit of files is as high as it may be: what ranks share are files in memory,
/// the segments and what some networks have.
class file_limit_lifted {
 public:
  /// @throws acre::error where that is too low for any job
  file_limit_lifted();
  ~file_limit_lifted();
  file_limit_lifted(const file_limit_lifted&) = delete;
  file_limit_lifted& operator=(const file_limit_lifted&) = delete;

 private:
  std::uint64_t before_;
};

/// Sees to it that the process can open some files and has some stack.
/// @throws acre::error that names the limit, and says what to do
void require_usual_limits();

/// The same of what a network takes, in a job of so many ranks.
void require_limits_of_network(std::uint64_t ranks);

}  // namespace acre::launch
