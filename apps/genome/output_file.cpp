#include <apps/genome/output_file.hpp>

#include <acre/base/error.hpp>

namespace acre::genome {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;

}  // namespace

output_file::output_file(const std::string& path) : path_(path) {
  require(file_.begin(path_, acre::detail::streams::written));
}

void output_file::require_place(const std::string& path) {
  const std::string name = path == "-" ? "/dev/stdout" : path;
  require(name, acre::detail::new_file::check(name, acre::detail::streams::written));
}

void output_file::require(const std::string& path, const acre::detail::file_problem& problem) {
  if (problem) throw error("write_file", path + ": " + problem.text(), problem.advice());
}

void output_file::require(const acre::detail::file_problem& problem) const {
  require(path_, problem);
}

void output_file::flush() {
  require(file_.write(buffer_));
  buffer_.clear();
}

void output_file::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_size) flush();
}

void output_file::commit() {
  flush();
  require(file_.commit());
}

}  // namespace acre::genome
