// SPDX-License-Identifier: BSD-3-Clause
// Memory available under control groups (which count touched memory) and process limits (which also
// count reserved memory: most of a segment).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace acre::launch {

/// Least limit of the control groups, or no_limit.
/// @param root location of /proc and /sys
[[nodiscard]] std::uint64_t control_group_bytes(const std::filesystem::path& root = "/");

[[nodiscard]] std::uint64_t addresses_in_use(const std::filesystem::path& root = "/");

/// Bytes still available under the hard limits of address space and file size, whichever is less.
[[nodiscard]] std::uint64_t reservable_bytes();

struct segment_room {
  std::uint64_t file_bytes = 0;
  std::uint64_t address_bytes = 0;
  std::uint64_t heaps = 1;
  std::uint64_t heap_bytes = 0;
};

/// Ensures that limits allow addresses and file (created during a file_limit_lifted). Raises a soft
/// address limit by that amount, to preserve the program's own.
/// @throws acre::error naming limit and remedy
void require_room(const segment_room& wanted);

/// While it exists, maximises the file size limit, for files in memory.
class file_limit_lifted {
 public:
  file_limit_lifted();
  ~file_limit_lifted();
  file_limit_lifted(const file_limit_lifted&) = delete;
  file_limit_lifted& operator=(const file_limit_lifted&) = delete;

 private:
  std::uint64_t before_;
};

void require_usual_limits();

void require_limits_of_network(std::uint64_t ranks);

}  // namespace acre::launch
