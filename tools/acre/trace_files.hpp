// SPDX-License-Identifier: BSD-3-Clause
// Checks, removes and reports the two matrix files of a trace.
#pragma once

#include <array>
#include <string>

namespace acre::tool {

class trace_files {
 public:
  /// @param purpose  subcommand, for error messages
  /// @param bytes  matrix file of bytes; messages_file() names the other
  /// @throws acre::error if the folder is not writable, or a name is not of a regular file
  trace_files(std::string purpose, const std::string& bytes);

  /// Must run directly before the program starts.
  /// @throws acre::error on failure
  void remove_old() const;

  /// Reports on standard error. @return 1 without a trace
  [[nodiscard]] int report() const;

 private:
  std::string purpose_;
  std::array<std::string, 2> names_;
};

}  // namespace acre::tool
