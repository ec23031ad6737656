// SPDX-License-Identifier: BSD-3-Clause
// Lock for critical sections of a few instructions. Yields after 64 attempts, as the holder may be
// descheduled.
#pragma once

#include <atomic>
#include <sched.h>

namespace acre {

inline void spin_pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

class spin_lock {
 public:
  void lock() noexcept {
    if (!try_lock()) [[unlikely]] {
      wait();
    }
  }

  [[nodiscard]] bool try_lock() noexcept {
    return !held_.load(std::memory_order_relaxed) &&
           !held_.exchange(true, std::memory_order_acquire);
  }

  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  // Out of line, so that callers save no registers on the fast path.
  [[gnu::noinline, gnu::cold]] void wait() noexcept {
    for (int tries = 0; !try_lock(); ++tries) {
      if (tries < 64) {
        spin_pause();
      } else {
        ::sched_yield();
      }
    }
  }

  std::atomic<bool> held_{false};
};

}  // namespace acre
