// SPDX-License-Identifier: BSD-3-Clause
// Output to an atomic file or an open descriptor.
#pragma once

#include <apps/genome/output_file.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace acre::genome {

class text_output {
 public:
  /// @param path  `-`, /dev/stdout, /dev/fd/3 and similar are written in place, not replaced
  /// @throws acre::error if not writable
  explicit text_output(const std::string& path);

  void write(std::string_view text);

  void commit();

 private:
  void flush();

  std::optional<output_file> file_;
  std::string path_;
  int descriptor_ = -1;
  std::string buffer_;
};

}  // namespace acre::genome
