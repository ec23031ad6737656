// SPDX-License-Identifier: BSD-3-Clause
// A file descriptor that closes only its own file, as programs may close and reuse unknown numbers.
#pragma once

#include <cstdint>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace acre {

/// Identity of a file, independent of its name. (All eventfds share one.)
struct file_identity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  friend bool operator==(const file_identity&, const file_identity&) = default;
};

[[nodiscard]] inline file_identity identity_of(const struct stat& about) noexcept {
  return {about.st_dev, about.st_ino};
}
[[nodiscard]] inline file_identity identity_of(int number) noexcept {
  struct stat about{};
  return ::fstat(number, &about) == 0 ? identity_of(about) : file_identity{};
}

class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) : number_(number) {
    if (number >= 0) file_ = identity_of(number);
  }
  descriptor(descriptor&& other) noexcept
      : number_(std::exchange(other.number_, -1)), file_(other.file_) {}
  descriptor& operator=(descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      number_ = std::exchange(other.number_, -1);
      file_ = other.file_;
    }
    return *this;
  }
  ~descriptor() { reset(); }

  [[nodiscard]] int get() const noexcept { return number_; }
  [[nodiscard]] bool open() const noexcept { return number_ >= 0; }
  [[nodiscard]] const file_identity& file() const noexcept { return file_; }
  /// True if open and not closed by the program.
  [[nodiscard]] bool is_intact() const noexcept { return open() && identity_of(number_) == file_; }
  void reset() noexcept {
    if (is_intact()) ::close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
  file_identity file_;
};

}  // namespace acre
