// SPDX-License-Identifier: BSD-3-Clause
// Descriptors 0, 1 and 2, which a shell may have closed (>&-), and what a program could not write.
//
// Whatever is opened next gets the lowest number that is free: without care a file of Acre's would
// become standard output, and what the program prints would be written over it.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace acre {

/// Gives each of 0, 1 and 2 that is closed to something that can be neither read nor written:
/// programs find it as closed as before, and so do programs that they start.
inline void occupy_closed_standard_descriptors() noexcept {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (::fcntl(number, F_GETFD) < 0) static_cast<void>(::open("/", O_PATH | O_CLOEXEC));
  }
}

/// Whether it is closed, or was until it was occupied.
[[nodiscard]] inline bool is_closed(int descriptor) noexcept {
  const int how = ::fcntl(descriptor, F_GETFL);
  return how < 0 || (how & O_PATH) != 0;
}

/// Why a part of what was printed on standard output is lost, as "No space left on device". Writes
/// what the C library still holds back. Empty where nothing is lost.
[[nodiscard]] inline std::string lost_output() {
  errno = 0;
  const bool is_lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!is_lost) return {};
  if (is_closed(STDOUT_FILENO)) return "it is closed";
  // Where an earlier write has failed, nobody has kept why.
  return errno != 0 ? std::strerror(errno) : "a write has failed";
}

}  // namespace acre
