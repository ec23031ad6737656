// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/output_file.hpp>

#include <acre/base/whole_file.hpp>

namespace acre::genome {
namespace {

constexpr const char* write_call = "write_file";
constexpr std::size_t buffer_size = std::size_t{1} << 18;

}  // namespace

output_file::output_file(const std::string& path) : path_(path) {
  require(file_.begin(path_, acre::base::streams::written));
}

void output_file::require_place(const std::string& path) {
  acre::require_place(write_call, path == "-" ? "/dev/stdout" : path);
}

void output_file::require(const acre::base::file_problem& problem) const {
  acre::base::require_written(write_call, path_, problem);
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
