// SPDX-License-Identifier: BSD-3-Clause
// Keeps a library's descriptors above 256: programs that close unknown ones reuse the lowest
// numbers.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace acre {

/// While alive, new descriptors get numbers above 256, unless fewer than 1024 are permitted.
class low_numbers_taken {
 public:
  low_numbers_taken() {
    constexpr int low = 256;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < rlim_t{4} * low) return;
    int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int first = next;
    while (next >= 0) {
      numbers_.push_back(next);
      if (next >= low) break;
      next = ::fcntl(first, F_DUPFD_CLOEXEC, 0);
    }
  }
  ~low_numbers_taken() {
    for (const int each : numbers_) ::close(each);
  }
  low_numbers_taken(const low_numbers_taken&) = delete;
  low_numbers_taken& operator=(const low_numbers_taken&) = delete;

 private:
  std::vector<int> numbers_;
};

}  // namespace acre
