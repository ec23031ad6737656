// SPDX-License-Identifier: BSD-3-Clause
// Writes beyond the file size limit (ulimit -f) as errors instead of signals.
#pragma once

#include <cerrno>
#include <csignal>
#include <ctime>
#include <pthread.h>

namespace acre::base {

/// While alive, this thread's writes beyond the limit fail with EFBIG: SIGXFSZ is blocked, then
/// discarded. Preserves errno.
class file_size_signal_blocked {
 public:
  file_size_signal_blocked() noexcept {
    ::sigemptyset(&signal_);
    ::sigaddset(&signal_, SIGXFSZ);
    ::pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~file_size_signal_blocked() {
    if (::sigismember(&before_, SIGXFSZ) == 1) return;
    const int kept = errno;
    const timespec at_once{};
    while (::sigtimedwait(&signal_, nullptr, &at_once) < 0 && errno == EINTR) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = kept;
  }
  file_size_signal_blocked(const file_size_signal_blocked&) = delete;
  file_size_signal_blocked& operator=(const file_size_signal_blocked&) = delete;

 private:
  sigset_t signal_{};
  sigset_t before_{};
};

}  // namespace acre::base
