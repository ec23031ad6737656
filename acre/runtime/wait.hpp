// SPDX-License-Identifier: BSD-3-Clause
// Waits spin briefly, yield, then sleep. Long ones leave a record for the stall watch.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace acre::runtime {

/// Registers a hook of idle progress() and long waits that may run user code, which checks that the
/// awaited event can still occur. At most three, before main().
bool add_long_wait_hook(void (*hook)()) noexcept;
void call_long_wait_hooks();

struct long_wait {
  const void* subject;       ///< or null
  const call_frame* frames;  ///< calls and RPCs that cannot return before the wait does
  const rpc_frame* rpcs;
  const void* thread;  ///< &code_here of its thread
  const void* begin;   ///< part of the stack older than the wait
  const void* end;
};
/// Calls use(context, wait) for each long wait, under a lock; `use` must neither wait nor send.
/// Thread-safe.
void visit_long_waits(void (*use)(void* context, const long_wait& wait), void* context);
/// Describes the newest long wait: "future::get at a.cpp:10, for the move of object 1.1"; empty
/// without a long wait.
[[nodiscard]] std::string describe_newest_wait();

/// Describes what a wait expects, for reports: "for the move of object 1.1".
using describe_subject = std::string (*)(const void* subject);

/// True if another rank seems to share this core.
[[nodiscard]] bool shares_core() noexcept;

/// State of one wait. Not for the fast path: create it after a failed check.
class waiter {
 public:
  waiter(const char* what, may_run what_may_run, const site& where) noexcept
      : what_(what),
        where_(where),
        looks_(looks_between_steps(what_may_run)),
        may_run_(what_may_run) {}
  ~waiter() {
    if (noted_) withdraw_note();
  }
  waiter(const waiter&) = delete;
  waiter& operator=(const waiter&) = delete;

  void now_may_run(may_run what) noexcept { may_run_ = what; }
  /// Sets what reports show. Call it before the first step.
  void waits_for(const void* subject, describe_subject describe) noexcept {
    subject_ = subject;
    describe_ = describe;
  }

  /// Makes progress once; without any, spins, yields or sleeps.
  void step();

  /// Latest wait record of this rank.
  struct noted_wait {
    const void* which = nullptr;  ///< null: no wait
    std::uint32_t steps = 0;
    served_call serves;
    const char* what = nullptr;
    site where;
  };
  [[nodiscard]] static noted_wait latest() noexcept;
  /// Reports `function` instead of that wait's call, if the record is still the latest.
  static void note_function(const noted_wait& wait, const char* function) noexcept;

  /// Polls `ready` and the mailbox only, which is faster than a round of progress; not in internal
  /// waits, if ranks share a core, or if all other ranks are on other nodes.
  /// @return true if ready
  template <class Ready>
  [[nodiscard]] bool look(Ready& ready) const {
    for (std::uint32_t i = 0; i < looks_ && !mail_waits(); ++i) {
      if (ready()) return true;
      spin_pause();
    }
    return false;
  }

 private:
  friend void visit_long_waits(void (*use)(void* context, const long_wait& wait), void* context);
  friend std::string describe_newest_wait();

  [[nodiscard]] static std::uint32_t looks_between_steps(may_run what) noexcept;
  [[nodiscard]] static bool mail_waits() noexcept;
  [[nodiscard]] std::string describe_itself() const;
  std::size_t make_progress() const;
  void idle();
  void leave_note();
  static void show_latest() noexcept;
  void withdraw_note() noexcept;
  void look_around();
  void watch_for_stall();

  const char* what_;
  site where_;
  std::int64_t since_ = 0;
  waiter* noted_before_ = nullptr;
  const void* subject_ = nullptr;
  describe_subject describe_ = nullptr;
  const call_frame* frames_ = code_here.frames;
  const rpc_frame* rpcs_ = code_here.rpcs;
  const running_code* thread_ = nullptr;
  const void* stack_end_ = nullptr;
  char* details_ = nullptr;  ///< owned
  std::uint32_t looks_;
  std::uint32_t steps_ = 0;
  std::uint32_t idle_rounds_ = 0;
  std::uint32_t wakes_ = 0;
  std::uint32_t short_steps_ = 0;
  may_run may_run_;
  bool noted_ = false;
  bool reported_ = false;
};

/// Waits until `ready()`, with progress. User exceptions are kept (lost_failure.hpp), so `ready()`
/// holds at return; network loss throws at once.
/// @param what  for reports: "barrier"
template <class Ready>
void wait_until(Ready&& ready, const char* what, may_run what_may_run = may_run::user_code,
                const site& where = site::current()) {
  if (ready()) return;
  waiter waiting(what, what_may_run, where);
  do {
    if (waiting.look(ready)) return;
    waiting.step();
  } while (!ready());
}

/// Retries `attempt()` until it succeeds, after a failure. Cold.
template <class Attempt>
[[gnu::noinline, gnu::cold]] void retry_until(Attempt attempt, const char* what,
                                              const site& where = site::current()) {
  count(counted::no_room);
  waiter waiting(what, may_run::internal, where);
  do {
    waiting.step();
  } while (!attempt());
}

/// Calls `attempt()` until it returns true; false: no room.
template <class Attempt>
void until_room(Attempt attempt, const char* what) {
  if (!attempt()) [[unlikely]] {
    retry_until(attempt, what);
  }
}

/// For waits of the program (futures). Throws kept failures at its end.
void wait_until(bool (*ready)(const void* subject), const void* subject, describe_subject describe,
                const char* what, site where);

}  // namespace acre::runtime
