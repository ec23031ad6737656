// SPDX-License-Identifier: BSD-3-Clause
// Where a program writes a result: a file that is there in full or not at all, or a descriptor.
#pragma once

#include <apps/genome/output_file.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace acre::genome {

class text_output {
 public:
  /// @param path  `-`, /dev/stdout, /dev/fd/3 and the like are written as they are: what was
  ///              written there before stays
  /// @throws acre::error when nothing can be written there
  explicit text_output(const std::string& path);

  /// @throws acre::error when the disk is full, and the like
  void write(std::string_view text);

  /// Everything is written: gives a file its name.
  void commit();

 private:
  void flush();

  std::optional<output_file> file_;
  std::string path_;
  int descriptor_ = -1;  ///< where there is no file
  std::string buffer_;
};

}  // namespace acre::genome
