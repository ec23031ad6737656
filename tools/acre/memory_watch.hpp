// SPDX-License-Identifier: BSD-3-Clause
// Detects out-of-memory kills on this host.
#pragma once

#include <acre/base/control_groups.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace acre::tool {

class memory_watch {
 public:
  explicit memory_watch(std::filesystem::path root = "/");

  /// Cause of a SIGKILL since then: "the control group /job has reached its limit …"; empty if
  /// unknown.
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
