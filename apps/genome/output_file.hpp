// SPDX-License-Identifier: BSD-3-Clause
// A result file, complete or absent (acre/base/new_file.hpp). Non-regular destinations are written
// directly.
#pragma once

#include <acre/base/new_file.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace acre::genome {

class output_file {
 public:
  explicit output_file(const std::string& path);

  /// Checks writability without side effects; "-" is standard output.
  /// @throws acre::error with the reason
  static void require_place(const std::string& path);

  void write(std::string_view text);

  void commit();

 private:
  void require(const acre::base::file_problem& problem) const;
  void flush();

  std::string path_;
  std::string buffer_;
  acre::base::new_file file_;
};

}  // namespace acre::genome
