// SPDX-License-Identifier: BSD-3-Clause
// Counts of RPC messages (calls and answers) sent and done by this rank: senders count before
// sending, receivers after the work. Each thread counts in listed words of its own, without locked
// instructions. Words start at -1: the first increment yields zero and lists the thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace acre::global {

struct call_sums {
  std::uint64_t sent = 0;
  std::uint64_t done = 0;

  friend call_sums operator-(const call_sums& later, const call_sums& earlier) noexcept {
    return {.sent = later.sent - earlier.sent, .done = later.done - earlier.done};
  }
};

/// Sums over all threads. They include each message that this thread sent before, and each message
/// of other threads that a receiver has reported as done.
[[nodiscard]] call_sums sum_of_calls() noexcept;

struct thread_tally {
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  std::atomic<std::uint64_t> sent{none};
  std::atomic<std::uint64_t> done{none};
  thread_tally* next = nullptr;
  bool is_listed = false;
  bool has_ended = false;
};

extern constinit thread_local thread_tally calls_of_this_thread;

void list_calls_of_this_thread() noexcept;

inline void add_one(std::atomic<std::uint64_t>& word) noexcept {
#if defined(__x86_64__)
  bool is_first = false;
  asm volatile("incq %0" : "+m"(word), "=@ccz"(is_first) : : "memory");
#else
  const std::uint64_t more = word.load(std::memory_order_relaxed) + 1;
  word.store(more, std::memory_order_release);
  const bool is_first = more == 0;
#endif
  if (is_first) [[unlikely]] {
    list_calls_of_this_thread();
  }
}

inline void count_call_sent() noexcept { add_one(calls_of_this_thread.sent); }
inline void count_call_done() noexcept { add_one(calls_of_this_thread.done); }
void undo_call_sent() noexcept;

template <class Send>
void send_counted(Send&& send) {
  count_call_sent();
  try {
    send();
  } catch (...) {
    undo_call_sent();
    throw;
  }
}

}  // namespace acre::global
