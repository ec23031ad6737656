// SPDX-License-Identifier: BSD-3-Clause
// Bulk close of descriptors after a fork.
#pragma once

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace acre {

/// Closes descriptors `first` to `last`; one by one without close_range() (kernels before 5.9).
inline void close_descriptors(unsigned first, unsigned last) noexcept {
  if (::syscall(SYS_close_range, first, last, 0U) == 0) return;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  for (rlim_t each = first; each <= last && each < limit.rlim_cur && each < 1U << 20; ++each) {
    ::close(static_cast<int>(each));
  }
}

}  // namespace acre
