// SPDX-License-Identifier: BSD-3-Clause
// Whether the kernel has ended a process of this host for lack of memory, and whose limit it was.
#pragma once

#include <acre/base/control_groups.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace acre::tool {

class memory_watch {
 public:
  /// Remembers what the kernel has counted so far.
  explicit memory_watch(std::filesystem::path root = "/");

  /// What it has counted since then, as the cause of a rank's end by SIGKILL: "the control group
  /// /job has reached its limit of 512 MiB of memory (…)". Empty where that is not the cause.
  [[nodiscard]] std::string what_ran_out() const;

 private:
  struct watched {
    control_group group;
    out_of_memory_counts before;
  };

  std::filesystem::path root_;
  std::vector<watched> groups_;
  std::uint64_t of_host_;
};

}  // namespace acre::tool
