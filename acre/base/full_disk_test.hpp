// A disk that is full, for tests of what is written.
#pragma once

#include <csignal>
#include <cstddef>
#include <sys/resource.h>

namespace acre::files_test {

/// As long as it lives, files of this process cannot grow beyond so many bytes.
class full_disk {
 public:
  explicit full_disk(std::size_t bytes) : heard_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~full_disk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, heard_);
  }
  full_disk(const full_disk&) = delete;
  full_disk& operator=(const full_disk&) = delete;

 private:
  void (*heard_)(int);
  rlimit before_{};
};

}  // namespace acre::files_test
