// SPDX-License-Identifier: BSD-3-Clause
// Checks, removes and reports the two matrix files of a trace.
#pragma once

#include <array>
#include <string>

namespace acre::tool {

/// The program writes the files.
class trace_files {
 public:
  /// @param purpose subcommand, for messages
  /// @param bytes file of bytes
  /// @throws acre::error if the files cannot be written
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
