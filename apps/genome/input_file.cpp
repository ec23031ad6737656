// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/input_file.hpp>

#include <acre/base/error.hpp>
#include <acre/base/link_target.hpp>
#include <acre/base/standard_descriptors.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace acre::genome {
namespace {

[[noreturn]] void fail(const std::string& path, int why, const char* advice) {
  const std::string shown = path == "-" ? "standard input" : path;
  throw error("read_file", shown + ": " + std::strerror(why), advice);
}

template <typename ReadSome>
std::size_t read_fully(const std::string& path, std::span<char> into, ReadSome&& read_some) {
  std::size_t done = 0;
  while (done < into.size()) {
    const auto got = read_some(into.data() + done, into.size() - done, done);
    if (got > 0) {
      done += static_cast<std::size_t>(got);
    } else if (got == 0) {
      break;
    } else if (errno != EINTR) {
      fail(path, errno, "the file could be opened but not read: check its disk");
    }
  }
  return done;
}

}  // namespace

input_file::input_file(std::string path) : path_(std::move(path)) {
  const bool is_standard = path_ == "-";
  const auto own = is_standard ? std::optional(STDIN_FILENO) : own_descriptor(path_);
  if (own && is_closed(*own)) {
    fail(path_, EBADF, "it is closed, or the launcher does not pass it to rank 0: name a file");
  }
  struct stat status{};
  // Regular files are reopened at their begin; standard input and others are duplicated, as sockets
  // cannot be reopened.
  const bool is_copied =
      own && (is_standard || ::fstat(*own, &status) != 0 || !S_ISREG(status.st_mode));
  descriptor_ =
      is_copied ? ::fcntl(*own, F_DUPFD_CLOEXEC, 3) : ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    fail(path_, errno, "check the name and the read permission");
  }
  if (::fstat(descriptor_, &status) != 0 || S_ISDIR(status.st_mode)) {
    const int why = S_ISDIR(status.st_mode) ? EISDIR : errno;
    ::close(descriptor_);
    fail(path_, why, "name the files in the directory");
  }
  identity_ = identity_of(status);
  regular_ = S_ISREG(status.st_mode);
  consumed_ = !regular_ && (!S_ISCHR(status.st_mode) || ::isatty(descriptor_) != 0);
  if (!regular_) return;
  const off_t at = is_standard ? ::lseek(descriptor_, 0, SEEK_CUR) : 0;
  first_ = at > 0 ? static_cast<std::uint64_t>(at) : 0;
  size_ = static_cast<std::uint64_t>(status.st_size);
  size_ -= std::min(size_, first_);
}

input_file::input_file(input_file&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      regular_(other.regular_),
      consumed_(other.consumed_),
      identity_(other.identity_),
      first_(other.first_),
      next_(other.next_),
      size_(other.size_) {}

input_file& input_file::operator=(input_file&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(regular_, other.regular_);
  std::swap(consumed_, other.consumed_);
  std::swap(identity_, other.identity_);
  std::swap(first_, other.first_);
  std::swap(next_, other.next_);
  std::swap(size_, other.size_);
  return *this;
}

input_file::~input_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t input_file::read(std::span<char> into) {
  if (regular_) {
    // By offset: descriptors may be shared.
    const std::size_t got = read_at(next_, into);
    next_ += got;
    return got;
  }
  return read_fully(path_, into, [&](char* where, std::size_t bytes, std::size_t) {
    return ::read(descriptor_, where, bytes);
  });
}

std::size_t input_file::read_at(std::uint64_t offset, std::span<char> into) const {
  return read_fully(path_, into, [&](char* where, std::size_t bytes, std::size_t done) {
    return ::pread(descriptor_, where, bytes, static_cast<off_t>(first_ + offset + done));
  });
}

}  // namespace acre::genome
