#include <apps/genome/output_file.hpp>

#include <acre/base/error.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace acre::genome {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;

bool is_device_or_pipe(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

output_file::output_file(const std::string& path) : path_(path) {
  int flags = O_WRONLY | O_CLOEXEC;
  if (!is_device_or_pipe(path)) {
    // Through a symbolic link to where the file really is: the link stays one.
    std::error_code ignored;
    if (const auto target = std::filesystem::canonical(path, ignored); !ignored) {
      path_ = target.string();
    }
    temporary_ = path_ + ".partial-" + std::to_string(::getpid());
    flags |= O_CREAT | O_TRUNC;
  }
  const auto& opened = temporary_.empty() ? path_ : temporary_;
  descriptor_ = ::open(opened.c_str(), flags, 0666);
  if (descriptor_ < 0) {
    fail("check that its folder is there, and who may write to it");
  }
  if (std::filesystem::is_directory(path_)) {
    // Better now than after an hour of work, when the file would take its name.
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
    errno = EISDIR;
    fail("name a file in it");
  }
}

output_file::~output_file() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void output_file::fail(const char* advice) const {
  throw error("write_file", path_ + ": " + std::strerror(errno), advice);
}

void output_file::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const auto written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno != EINTR) fail("is there room on the disk?");
    if (written > 0) left.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void output_file::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_size) flush();
}

void output_file::commit() {
  flush();
  // A file system may report a full disk as late as here.
  const int descriptor = std::exchange(descriptor_, -1);
  const bool renamed = ::close(descriptor) == 0 &&
                       (temporary_.empty() || std::rename(temporary_.c_str(), path_.c_str()) == 0);
  if (!renamed) {
    const int why = errno;
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    errno = why;
    fail("is there room on the disk, and may its folder be written to?");
  }
}

}  // namespace acre::genome
