// SPDX-License-Identifier: BSD-3-Clause
// Protects closed descriptors 0 to 2: a file of Acre would become stdout.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace acre {

/// Gives closed ones of 0 to 2 an unusable descriptor that closes on exec.
inline void occupy_closed_standard_descriptors() noexcept {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (::fcntl(number, F_GETFD) < 0) static_cast<void>(::open("/", O_PATH | O_CLOEXEC));
  }
}

[[nodiscard]] inline bool is_closed(int descriptor) noexcept {
  const int how = ::fcntl(descriptor, F_GETFL);
  return how < 0 || (how & O_PATH) != 0;
}

/// Flushes stdout. @return why output was lost, or empty
[[nodiscard]] inline std::string lost_output() {
  errno = 0;
  const bool is_lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!is_lost) return {};
  if (is_closed(STDOUT_FILENO)) return "it is closed";
  // Earlier failures leave no errno.
  return errno != 0 ? std::strerror(errno) : "a write failed";
}

}  // namespace acre
