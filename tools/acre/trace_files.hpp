// SPDX-License-Identifier: BSD-3-Clause
// The two files of a trace as the command sees them, whose program writes them.
#pragma once

#include <array>
#include <string>

namespace acre::tool {

/// The two matrices of a trace, which the program writes. Older ones are removed first.
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
