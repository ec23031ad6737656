// SPDX-License-Identifier: BSD-3-Clause
// What a call does that a program repeats until something has happened: gasnet_AMPoll() and all
// that try; and how the other threads stop at the end.
//
// A thread may end the job while others are in calls. These stop for ever once it is over, each in
// its next call, or where it waits, so that nobody uses what the end of the job takes away.
#pragma once

#include <atomic>

namespace acre::gasnet {

/// Makes progress, also of a barrier that this node has notified. Lets others have the core now and
/// then when nothing was found, as acre::progress() does.
void poll(const char* call);
/// The same, in a call that is at work already and has been attached.
void poll_at_work(const char* call);

#if defined(GASNET_PAR)
/// How deep a thread is in calls. The records of threads that have ended are used again.
struct alignas(64) call_record {
  std::atomic<int> depth{0};
  std::atomic<bool> is_taken{true};
  call_record* next = nullptr;
};
extern constinit thread_local call_record* calls_of_this_thread;
/// Of the thread that has stopped the others.
extern constinit std::atomic<call_record*> stopper;

/// Held by a thread in a call that needs the job; does not return from being made when the job is
/// over.
class [[nodiscard]] at_work {
 public:
  at_work() noexcept {
    if (calls_of_this_thread == nullptr) [[unlikely]] {
      enter_record();
    }
    // Seen by the stopper, or the stopper is seen here.
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

  /// For calls that wait long.
  void stay_if_over() const noexcept {
    const call_record* const other = stopper.load(std::memory_order_seq_cst);
    if (other != nullptr && other != calls_of_this_thread) [[unlikely]] {
      stay();
    }
  }
  /// What the thread was called from is over as well.
  [[noreturn]] static void stay() noexcept;

 private:
  static void enter_record() noexcept;
};
/// Stops the other threads, in their next call or their present wait.
/// @return whether none of them is in a call any more
bool stop_others() noexcept;
#else
class [[nodiscard]] at_work {
 public:
  at_work() noexcept {}
  void stay_if_over() const noexcept {}
};
inline bool stop_others() noexcept { return true; }
#endif
/// What a thread does that ends the job when another does so already.
[[noreturn]] void stay_for_ever() noexcept;

}  // namespace acre::gasnet
