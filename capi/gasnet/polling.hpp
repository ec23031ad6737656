// SPDX-License-Identifier: BSD-3-Clause
// Polling, and stopping other threads when one ends the job: they block forever in their next call
// or present wait, so that they cannot use freed resources.
#pragma once

#include <atomic>

namespace acre::gasnet {

/// Makes progress, also of a notified barrier.
void poll(const char* call);
void poll_at_work(const char* call);

#if defined(GASNET_PAR)
/// How deep a thread's calls are nested. Records of ended threads are reused.
struct alignas(64) call_record {
  std::atomic<int> depth{0};
  std::atomic<bool> is_taken{true};
  call_record* next = nullptr;
};
extern constinit thread_local call_record* calls_of_this_thread;
/// Record of the thread that stopped the others; null before.
extern constinit std::atomic<call_record*> stopper;

/// Marks this thread as in a call that needs the job. After the end of the job, the constructor
/// never returns.
class [[nodiscard]] at_work {
 public:
  at_work() noexcept {
    if (calls_of_this_thread == nullptr) [[unlikely]] {
      enter_record();
    }
    // seq_cst: either the stopper sees this depth, or this thread sees the stopper.
    std::atomic<int>& depth = calls_of_this_thread->depth;
    depth.exchange(depth.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
    stay_if_over();
  }
  ~at_work() {
    std::atomic<int>& depth = calls_of_this_thread->depth;
    depth.store(depth.load(std::memory_order_relaxed) - 1, std::memory_order_release);
  }
  at_work(const at_work&) = delete;
  at_work& operator=(const at_work&) = delete;

  void stay_if_over() const noexcept {
    const call_record* const other = stopper.load(std::memory_order_seq_cst);
    if (other != nullptr && other != calls_of_this_thread) [[unlikely]] {
      stay();
    }
  }
  /// Blocks forever; outer calls of the thread count as left.
  [[noreturn]] static void stay() noexcept;

 private:
  static void enter_record() noexcept;
};
/// @return true if no thread is in a call; false after 0.5 s
bool stop_others() noexcept;
#else
class [[nodiscard]] at_work {
 public:
  at_work() noexcept {}
  void stay_if_over() const noexcept {}
};
inline bool stop_others() noexcept { return true; }
#endif
[[noreturn]] void stay_for_ever() noexcept;
/// Counts this thread's calls as left: it does not return to them.
void leave_calls() noexcept;

}  // namespace acre::gasnet
