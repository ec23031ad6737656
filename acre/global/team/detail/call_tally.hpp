// SPDX-License-Identifier: BSD-3-Clause
// How many messages of RPCs this rank has sent, and how many it has done: what
// drain() and the end of the job compare.
//
// A call is one message, and its answer another; each is counted by who sends
// it, before, and by who runs it, when all has run that it asks for. Each thread
// counts in words of its own, without locked instructions; whoever wants the sums
// finds the words of all threads in a list. A word begins at -1, so that its first
// count makes it 0, which the processor notices at no cost: then the thread puts
// its words into the list.
#pragma once

#include <atomic>
#include <cstdint>

namespace acre::global {

/// Sums over all threads of this rank, since the process began.
struct call_sums {
  std::uint64_t sent = 0;
  std::uint64_t done = 0;

  friend call_sums operator-(const call_sums& later, const call_sums& earlier) noexcept {
    return {.sent = later.sent - earlier.sent, .done = later.done - earlier.done};
  }
};

/// A message that was sent before this is called is in it, also one that another rank has counted
/// as done and has told so.
[[nodiscard]] call_sums sum_of_calls() noexcept;

/// The words of a thread.
struct thread_tally {
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  std::atomic<std::uint64_t> sent{none};
  std::atomic<std::uint64_t> done{none};
  thread_tally* next = nullptr;
  bool is_listed = false;
  bool has_ended = false;  ///< the thread's last moments: it counts elsewhere
};

extern constinit thread_local thread_tally calls_of_this_thread;

/// Puts the words of this thread into the list.
void list_calls_of_this_thread() noexcept;

/// Adds one, in this thread's own word. What came before is seen by who sees the count.
inline void add_one(std::atomic<std::uint64_t>& word) noexcept {
#if defined(__x86_64__)
  // One instruction is as much as a store with release order here.
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
/// One that was counted could not be sent.
void take_back_call_sent() noexcept;

/// Counts a message before anybody can have run it.
template <class Send>
void send_counted(Send&& send) {
  count_call_sent();
  try {
    send();
  } catch (...) {
    take_back_call_sent();
    throw;
  }
}

}  // namespace acre::global
