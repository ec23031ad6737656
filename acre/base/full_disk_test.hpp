// SPDX-License-Identifier: BSD-3-Clause
// Simulates a full disk.
#pragma once

#include <cstddef>
#include <sys/resource.h>

namespace acre::files_test {

/// While alive, files cannot grow beyond `bytes`. An unblocked SIGXFSZ ends the process.
class full_disk {
 public:
  explicit full_disk(std::size_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~full_disk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  full_disk(const full_disk&) = delete;
  full_disk& operator=(const full_disk&) = delete;

 private:
  rlimit before_{};
};

}  // namespace acre::files_test
