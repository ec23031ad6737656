// SPDX-License-Identifier: BSD-3-Clause
// Waits for the readers of stdout and stderr: a launcher may drop unread output.
#pragma once

#include <array>
#include <chrono>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace acre {

/// Positive if a pipe or local socket holds unread output, or a network socket unacknowledged
/// output; else zero.
[[nodiscard]] inline int bytes_not_taken(int descriptor) noexcept {
  struct stat what{};
  if (::fstat(descriptor, &what) != 0) return 0;
  const bool is_socket = S_ISSOCK(what.st_mode);
  if (!is_socket && !S_ISFIFO(what.st_mode)) return 0;
  int bytes = 0;
  return ::ioctl(descriptor, is_socket ? SIOCOUTQ : FIONREAD, &bytes) == 0 ? bytes : 0;
}

/// Waits, at most `at_most`, until readers have consumed stdout and stderr, without flushing C
/// buffers.
inline void await_output_taken(std::chrono::milliseconds at_most = std::chrono::seconds(1)) {
  const auto end = std::chrono::steady_clock::now() + at_most;
  for (const int each : std::array{STDOUT_FILENO, STDERR_FILENO}) {
    while (bytes_not_taken(each) > 0 && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

}  // namespace acre
