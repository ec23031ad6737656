// SPDX-License-Identifier: BSD-3-Clause
// Messages that quiet() and fence() wait for, and that nothing else does.
#pragma once

#include <atomic>
#include <cstdint>

namespace acre::runtime {

/// Atomics that nobody waits for but quiet(), which are messages: posted by any thread of this
/// rank, acknowledged by whatever thread finds the answer. One that was refused never is.
struct posted_atomics {
  std::atomic<std::uint64_t> posted{0};
  std::atomic<std::uint64_t> acknowledged{0};
  std::atomic<std::uint64_t> refused{0};
};
extern constinit posted_atomics network_atomics;

/// Messages of other kinds that quiet() and fence() wait for as for posted atomics: counted before
/// they are sent, once few enough are under way, and when their answer is there, by whatever thread
/// finds it; or not sent.
void begin_posted();
void cancel_posted() noexcept;
void count_answer(bool refused) noexcept;
/// Waits until all of these have been answered, or refused; of all threads of this rank.
/// @throws acre::error when the network is lost
void await_answers();
/// How many have not been answered, or refused.
[[nodiscard]] std::uint64_t posted_under_way() noexcept;

/// Whether any has not been answered.
[[nodiscard]] inline bool atomics_outstanding() noexcept {
  const auto acknowledged = network_atomics.acknowledged.load(std::memory_order_acquire);
  return acknowledged != network_atomics.posted.load(std::memory_order_relaxed);
}

}  // namespace acre::runtime
