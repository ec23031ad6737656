// SPDX-License-Identifier: BSD-3-Clause
#include "polling.hpp"

#include "barrier.hpp"
#include "checking.hpp"
#include "collective.hpp"
#include "failure.hpp"
#include <acre/runtime/progress.hpp>

#include <atomic>
#include <chrono>
#include <sched.h>
#include <unistd.h>

namespace acre::gasnet {

#if defined(GASNET_PAR)
constinit thread_local call_record* calls_of_this_thread = nullptr;
constinit std::atomic<call_record*> stopper{nullptr};

namespace {

/// Records are never freed, as the stopping thread may read them.
constinit std::atomic<call_record*> all_records{nullptr};

call_record* allocate_record() {
  for (call_record* each = all_records.load(std::memory_order_acquire); each != nullptr;
       each = each->next) {
    if (!each->is_taken.exchange(true, std::memory_order_acquire)) return each;
  }
  auto* const made = new call_record;
  made->next = all_records.load(std::memory_order_relaxed);
  while (!all_records.compare_exchange_weak(made->next, made, std::memory_order_seq_cst)) {
  }
  return made;
}

/// Returns the record at thread exit, except that of the stopping thread, which identifies it.
struct record_holder {
  call_record* const held = allocate_record();
  ~record_holder() {
    if (stopper.load(std::memory_order_seq_cst) == held) return;
    calls_of_this_thread = nullptr;
    held->depth.store(0, std::memory_order_relaxed);
    held->is_taken.store(false, std::memory_order_release);
  }
};

bool others_are_out() noexcept {
  for (const call_record* each = all_records.load(std::memory_order_seq_cst); each != nullptr;
       each = each->next) {
    if (each != calls_of_this_thread && each->depth.load(std::memory_order_seq_cst) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace

void at_work::enter_record() noexcept {
  static thread_local const record_holder holder;
  // A thread that calls again after returning its record keeps a new one permanently.
  static thread_local bool held_before = false;
  calls_of_this_thread = held_before ? allocate_record() : holder.held;
  held_before = true;
}

void at_work::stay() noexcept {
  calls_of_this_thread->depth.store(0, std::memory_order_release);
  for (;;) ::pause();
}

void stay_for_ever() noexcept {
  const at_work here;
  at_work::stay();
}

void leave_calls() noexcept {
  if (calls_of_this_thread != nullptr) {
    calls_of_this_thread->depth.store(0, std::memory_order_release);
  }
}

bool stop_others() noexcept {
  const at_work here;
  stopper.store(calls_of_this_thread, std::memory_order_seq_cst);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  while (!others_are_out()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    ::sched_yield();
  }
  return true;
}
#else
void stay_for_ever() noexcept {
  for (;;) ::pause();
}
void leave_calls() noexcept {}
#endif

void poll(const char* call) {
  const at_work here;
  check_attached(call);
  poll_at_work(call);
}

void poll_at_work(const char* call) {
  or_fail(call, [] {
    the_barriers().user.help();
    acre::progress();
    advance_collectives();
  });
}

}  // namespace acre::gasnet
