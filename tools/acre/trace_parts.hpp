// SPDX-License-Identifier: BSD-3-Clause
// Merges the ranks' window files (tools/mpi/windows.hpp). An incomplete block ends its rank's data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace acre::tool {

struct sent_bytes {
  std::uint64_t from;
  std::uint64_t to;
  std::uint64_t bytes;
  std::uint64_t messages;
};

void add_up(std::vector<sent_bytes>& entries);

struct trace_window {
  double begin = 0;  ///< seconds after MPI_Init
  double end = 0;
  std::vector<sent_bytes> entries;
  std::vector<std::string> communicators;
  std::size_t missing = 0;  ///< ranks without this window
};

class trace_parts {
 public:
  /// @throws acre::error without parts, or with parts of several jobs
  explicit trace_parts(const std::string& folder);

  [[nodiscard]] std::size_t ranks() const noexcept { return parts_.size(); }
  [[nodiscard]] const std::string& program() const noexcept { return program_; }
  /// Ranks as "3, 8-11"; or empty.
  [[nodiscard]] std::string ranks_without_part() const;

  [[nodiscard]] std::optional<trace_window> next();

 private:
  struct part {
    std::string path;       ///< empty: the rank has no part
    std::int64_t next = 0;  ///< offset of the next block
  };

  void find(const std::string& path);

  std::vector<part> parts_;
  std::string program_;
};

}  // namespace acre::tool
