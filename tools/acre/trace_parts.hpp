// SPDX-License-Identifier: BSD-3-Clause
// The parts of a trace that ranks have written window by window (tools/mpi/windows.hpp says how),
// put together again.
//
// What a rank was writing when it was killed has no last line, and is left out with all behind it.
// One window is in memory at a time, for each rank has a file of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace acre::tool {

/// What one rank has sent to another.
struct sent_bytes {
  std::uint64_t from;
  std::uint64_t to;
  std::uint64_t bytes;
  std::uint64_t messages;
};

/// Adds up those of the same ranks; ordered by rank.
void add_up(std::vector<sent_bytes>& entries);

struct trace_window {
  double begin = 0;  ///< seconds after MPI_Init
  double end = 0;
  std::vector<sent_bytes> entries;         ///< added up
  std::vector<std::string> communicators;  ///< lines for the head of a matrix
  std::size_t missing = 0;                 ///< ranks that have left nothing of it
};

class trace_parts {
 public:
  /// @throws acre::error when the folder has no part, or parts of several jobs
  explicit trace_parts(const std::string& folder);

  [[nodiscard]] std::size_t ranks() const noexcept { return parts_.size(); }
  [[nodiscard]] const std::string& program() const noexcept { return program_; }
  /// Those that have left no part at all, as "3, 8-11"; empty: none.
  [[nodiscard]] std::string ranks_without_part() const;

  /// The next window that any rank has ended.
  [[nodiscard]] std::optional<trace_window> next();

 private:
  struct part {
    std::string path;       ///< empty: there is none
    std::int64_t next = 0;  ///< where the next window begins in it
  };

  void find(const std::string& path);

  std::vector<part> parts_;
  std::string program_;
};

}  // namespace acre::tool
