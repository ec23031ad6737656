// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/whole_file.hpp>

#include <acre/base/error.hpp>

namespace acre {

void detail::require_written(std::string_view call, const std::string& path,
                             const file_problem& problem) {
  if (!problem) return;
  throw error(call, path + " cannot be written: " + problem.text(), problem.advice());
}

void require_place(std::string_view call, const std::string& path) {
  detail::require_written(call, path, detail::new_file::check(path, detail::streams::written));
}

void write_whole(std::string_view call, const std::string& path, std::string_view text) {
  detail::new_file file;
  detail::require_written(call, path, file.begin(path, detail::streams::written));
  detail::require_written(call, path, file.write(text));
  detail::require_written(call, path, file.commit());
}

}  // namespace acre
