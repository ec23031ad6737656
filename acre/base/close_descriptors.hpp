// SPDX-License-Identifier: BSD-3-Clause
// Closes descriptors by their numbers, in a child that has been forked.
#pragma once

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace acre {

/// Closes descriptors in a forked child. Kernels before 5.9 and some containers lack close_range().
inline void close_descriptors(unsigned first, unsigned last) noexcept {
  if (::syscall(SYS_close_range, first, last, 0U) == 0) return;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  for (rlim_t each = first; each <= last && each < limit.rlim_cur && each < 1U << 20; ++each) {
    ::close(static_cast<int>(each));
  }
}

}  // namespace acre
