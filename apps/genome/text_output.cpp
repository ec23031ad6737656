// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/text_output.hpp>

#include <acre/base/error.hpp>
#include <acre/base/file_size_signal.hpp>
#include <acre/base/link_target.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace acre::genome {

text_output::text_output(const std::string& path) : path_(path) {
  const auto own = path == "-" ? std::optional(STDOUT_FILENO) : own_descriptor(path);
  if (!own) {
    file_.emplace(path);
    return;
  }
  descriptor_ = *own;
  if (descriptor_ == STDOUT_FILENO) std::fflush(stdout);
}

void text_output::write(std::string_view text) {
  if (file_) {
    file_->write(text);
    return;
  }
  constexpr std::size_t buffer_size = std::size_t{1} << 18;
  buffer_ += text;
  if (buffer_.size() >= buffer_size) flush();
}

void text_output::flush() {
  const acre::base::file_size_signal_blocked blocked;
  std::string_view left = buffer_;
  while (!left.empty()) {
    const auto written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno != EINTR) {
      throw error("write_file",
                  (path_ == "-" ? "standard output" : path_) + ": " + std::strerror(errno),
                  "check the free space of the disk, or that the pipe has a reader");
    }
    if (written > 0) left.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void text_output::commit() {
  if (file_) {
    file_->commit();
  } else {
    flush();
  }
}

}  // namespace acre::genome
