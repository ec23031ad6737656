// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/queue/detail/queue_ring.hpp>

#include <acre/base/spin_lock.hpp>
#include <acre/runtime/world.hpp>

#include <ctime>
#include <sched.h>

namespace acre::container {

void wait_briefly(unsigned tries) noexcept {
  constexpr unsigned spins = 128;
  constexpr unsigned yields = 512;
  if (tries < spins && !runtime::crowded()) {
    spin_pause();
  } else if (tries < spins + yields) {
    ::sched_yield();
  } else {
    // The other thread has lost its core.
    const timespec a_while{.tv_sec = 0, .tv_nsec = 50'000};
    ::nanosleep(&a_while, nullptr);
  }
}

void await_turn(const std::atomic<std::uint32_t>& turn, std::uint32_t expected) noexcept {
  for (unsigned tries = 0; turn.load(std::memory_order_acquire) != expected; ++tries) {
    wait_briefly(tries);
  }
}

}  // namespace acre::container
