// SPDX-License-Identifier: BSD-3-Clause
// The two files of a trace as the command sees them, whose program writes them.
#pragma once

#include <array>
#include <string>

namespace acre::tool {

/// The matrices that a job is to write. An older trace never passes for that of this job.
class trace_files {
 public:
  /// @param purpose the subcommand, for messages
  /// @param bytes   the file of bytes; that of messages is beside it
  /// @throws acre::error when something is there that is not a file, or no folder for it
  trace_files(std::string purpose, const std::string& bytes);

  /// Right before the program starts: until then, the user may still be refused.
  /// @throws acre::error when an older trace cannot be removed
  void remove_old() const;

  /// Says where the trace is, or that there is none.
  /// @return 1 when there is none, else 0
  [[nodiscard]] int report() const;

 private:
  std::string purpose_;
  std::array<std::string, 2> names_;
};

}  // namespace acre::tool
