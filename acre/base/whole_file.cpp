// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/whole_file.hpp>

#include <acre/base/error.hpp>

namespace acre {

void base::require_written(std::string_view call, const std::string& path,
                           const base::file_problem& problem) {
  if (!problem) return;
  throw error(call, path + " cannot be written: " + problem.text(), problem.advice());
}

void require_place(std::string_view call, const std::string& path) {
  base::require_written(call, path, base::new_file::check(path, base::streams::written));
}

void write_whole(std::string_view call, const std::string& path, std::string_view text) {
  base::new_file file;
  base::require_written(call, path, file.begin(path, base::streams::written));
  base::require_written(call, path, file.write(text));
  base::require_written(call, path, file.commit());
}

}  // namespace acre
