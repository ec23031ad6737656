// SPDX-License-Identifier: BSD-3-Clause
// Messages whose completion only quiet() and fence() await.
#pragma once

#include <atomic>
#include <cstdint>

namespace acre::runtime {

/// Counts of posted messages, not only atomics. Any thread counts answers.
struct posted_atomics {
  std::atomic<std::uint64_t> posted{0};
  std::atomic<std::uint64_t> acknowledged{0};
  std::atomic<std::uint64_t> refused{0};
};
extern constinit posted_atomics network_atomics;

/// Call begin_posted(), which waits while 1024 messages are unanswered, before sending a posted
/// message; then count_answer(), or cancel_posted() if not sent.
void begin_posted();
void cancel_posted() noexcept;
void count_answer(bool refused) noexcept;
/// Waits for the answers to messages of all threads.
/// @throws acre::error if the network is lost
void await_answers();
/// Number of unanswered messages.
[[nodiscard]] std::uint64_t posted_under_way() noexcept;

/// True if a posted message, atomic or not, is unacknowledged.
[[nodiscard]] inline bool atomics_outstanding() noexcept {
  const auto acknowledged = network_atomics.acknowledged.load(std::memory_order_acquire);
  return acknowledged != network_atomics.posted.load(std::memory_order_relaxed);
}

}  // namespace acre::runtime
