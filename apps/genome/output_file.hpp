// SPDX-License-Identifier: BSD-3-Clause
// A result file that is either there in full, or not at all.
//
// It has a temporary name in the same folder and takes its own name when the
// last byte is on the disk (acre/base/new_file.hpp). What is not committed is
// removed. A destination that is no regular file (a pipe, /dev/stdout) is
// written directly.
#pragma once

#include <acre/base/new_file.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace acre::genome {

class output_file {
 public:
  /// @throws acre::error when nothing can be written there
  explicit output_file(const std::string& path);

  /// Whether a file could be written there now, without touching it; "-" is standard output.
  /// @throws acre::error that says why it cannot
  static void require_place(const std::string& path);

  /// @throws acre::error when the disk is full, and the like
  void write(std::string_view text);

  /// Everything is written: gives the file its name.
  void commit();

 private:
  void require(const acre::base::file_problem& problem) const;
  void flush();

  std::string path_;
  std::string buffer_;
  acre::base::new_file file_;
};

}  // namespace acre::genome
