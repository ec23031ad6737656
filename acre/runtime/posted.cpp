// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/posted.hpp>

#include <acre/runtime/wait.hpp>

namespace acre::runtime {

constinit posted_atomics network_atomics;

std::uint64_t posted_under_way() noexcept {
  const std::uint64_t answered = network_atomics.acknowledged.load(std::memory_order_acquire) +
                                 network_atomics.refused.load(std::memory_order_acquire);
  return network_atomics.posted.load(std::memory_order_relaxed) - answered;
}

void begin_posted() {
  constexpr std::uint64_t most_posted = 1024;
  until_room([] { return posted_under_way() < most_posted; }, "room for an atomic operation");
  network_atomics.posted.fetch_add(1, std::memory_order_relaxed);
}

void count_answer(bool refused) noexcept {
  auto& answered = refused ? network_atomics.refused : network_atomics.acknowledged;
  answered.fetch_add(1, std::memory_order_release);
}

void cancel_posted() noexcept { network_atomics.posted.fetch_sub(1, std::memory_order_relaxed); }

void await_answers() {
  wait_until([] { return posted_under_way() == 0; }, "quiet", may_run::internal);
}

}  // namespace acre::runtime
