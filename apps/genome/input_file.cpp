#include <apps/genome/input_file.hpp>

#include <acre/base/error.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace acre::genome {
namespace {

[[noreturn]] void fail(const std::string& path, int why, const char* advice) {
  throw error("read_file", path + ": " + std::strerror(why), advice);
}

/// Calls `read_some(where, bytes)` until `into` is full or the file ends.
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
      fail(path, errno, "the file opened, but reading it failed: is its disk in order?");
    }
  }
  return done;
}

}  // namespace

input_file::input_file(std::string path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail(path_, errno, "check the name and who may read it");
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0 || S_ISDIR(status.st_mode)) {
    const int why = S_ISDIR(status.st_mode) ? EISDIR : errno;
    ::close(descriptor_);
    fail(path_, why, "name the files in it");
  }
  regular_ = S_ISREG(status.st_mode);
  if (regular_) size_ = static_cast<std::uint64_t>(status.st_size);
}

input_file::input_file(input_file&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      regular_(other.regular_),
      size_(other.size_) {}

input_file& input_file::operator=(input_file&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(regular_, other.regular_);
  std::swap(size_, other.size_);
  return *this;
}

input_file::~input_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t input_file::read(std::span<char> into) {
  return read_fully(path_, into, [&](char* where, std::size_t bytes, std::size_t) {
    return ::read(descriptor_, where, bytes);
  });
}

std::size_t input_file::read_at(std::uint64_t offset, std::span<char> into) const {
  return read_fully(path_, into, [&](char* where, std::size_t bytes, std::size_t done) {
    return ::pread(descriptor_, where, bytes, static_cast<off_t>(offset + done));
  });
}

}  // namespace acre::genome
