#include <acre/base/whole_file.hpp>

#include <acre/base/error.hpp>
#include <acre/base/new_file.hpp>

namespace acre {
namespace {

void require(std::string_view call, const std::string& path, const detail::file_problem& problem) {
  if (!problem) return;
  throw error(call, path + " cannot be written: " + problem.text(), problem.advice());
}

}  // namespace

void require_place(std::string_view call, const std::string& path) {
  require(call, path, detail::new_file::check(path, detail::streams::written));
}

void write_whole(std::string_view call, const std::string& path, std::string_view text) {
  detail::new_file file;
  require(call, path, file.begin(path, detail::streams::written));
  require(call, path, file.write(text));
  require(call, path, file.commit());
}

}  // namespace acre
