// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/blocked_watch.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/detail/stall_settings.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/wait.hpp>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <string>
#include <thread>

namespace acre::runtime {

namespace {

using clock = std::chrono::steady_clock;

struct watch_state {
  std::mutex lock;
  std::condition_variable changed;
  std::chrono::milliseconds limit{0};
  std::thread thread;
};

/// Never destroyed: abandoned jobs are still watched.
watch_state& state() {
  static auto& made = *new watch_state;
  return made;
}

void report(const waiter::noted_wait& wait, std::chrono::milliseconds limit) {
  const bool is_of_program = wait.serves.is_of_program();
  const std::string what =
      is_of_program ? std::string("a callback of a future") : describe(wait.serves);
  waiter::note_function(wait, (what + ", run in " + wait.what).c_str());
  const std::string text =
      "acre: " + process_identity() + " has run " + what + " for " + format_seconds(limit) +
      " in its wait in " + wait.what + describe_place(wait.where) +
      "\n      it computes, or waits for a lock that this thread has held since before the wait:"
      "\n      do not hold a lock during a wait that may run a function that takes it\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void watch() {
  waiter::noted_wait seen;
  clock::time_point since = clock::now();
  bool is_reported = false;
  std::unique_lock hold(state().lock);
  while (state().limit.count() != 0) {
    const std::chrono::milliseconds limit = state().limit;
    state().changed.wait_for(hold, limit / 4 + std::chrono::milliseconds(1));
    if (state().limit.count() == 0) continue;
    const waiter::noted_wait now = waiter::latest();
    if (now.which == nullptr || now.which != seen.which || now.steps != seen.steps) {
      seen = now;
      since = clock::now();
      is_reported = false;
    } else if (!is_reported && clock::now() - since >= limit) {
      is_reported = true;
      report(now, limit);
    }
  }
}

/// Blocks signals, which are for the program's own threads.
std::thread start_without_signals() {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread started;
  try {
    started = std::thread(watch);
    ::pthread_setname_np(started.native_handle(), "acre-watch");
  } catch (...) {
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

}  // namespace

void watch_functions(std::chrono::milliseconds limit) noexcept {
  std::atomic<bool>& is_watched = the_stall_settings.functions_are_watched;
  if (limit.count() == 0 && !is_watched.load(std::memory_order_relaxed)) return;
  std::thread ended;
  {
    const std::lock_guard hold(state().lock);
    state().limit = limit;
    is_watched.store(limit.count() != 0, std::memory_order_relaxed);
    if (limit.count() == 0) {
      ended = std::move(state().thread);
    } else if (!state().thread.joinable()) {
      state().thread = start_without_signals();
    }
    state().changed.notify_all();
  }
  if (ended.joinable()) ended.join();
}

}  // namespace acre::runtime
