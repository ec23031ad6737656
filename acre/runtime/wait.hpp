// SPDX-License-Identifier: BSD-3-Clause
// Polite waiting: every wait of Acre spins briefly, then yields, then sleeps.
//
// A wait that gets long leaves a note where it waits (call, file and line), for
// the stall watch of this and of the other ranks.
#pragma once

#include <acre/base/site.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace acre::runtime {

/// Has `hook` called now and then in waits that may run user code and have got long, and in
/// progress() that finds nothing: for checks whether what is waited for can still arrive. At most
/// two, before main().
bool add_long_wait_hook(void (*hook)()) noexcept;
void call_long_wait_hooks();

/// A wait that has got long, as it is seen by who asks what waits for what.
struct long_wait {
  const void* subject;       ///< what it waits for, or null
  const call_frame* frames;  ///< of the calls that cannot return before it does
  const rpc_frame* rpcs;     ///< that cannot return before it does
  const void* thread;        ///< &code_here of its thread
  const void* begin;         ///< of what lies on its stack and is older than the wait
  const void* end;
};
/// Calls use(context, wait) for each of this rank's, under a lock: use() shall neither wait nor
/// send. Any thread.
void visit_long_waits(void (*use)(void* context, const long_wait& wait), void* context);
/// The newest of this rank's: "future::get at a.cpp:10, for the move of object 1.1"; empty: none.
[[nodiscard]] std::string describe_newest_wait();

/// Describes the subject of a wait, for the stall watch: "for the move of object 1.1".
using describe_subject = std::string (*)(const void* subject);

/// A pause of about 200 cycles between looks at a word: a line that its reader
/// fetches again and again comes later to its writer.
inline void let_neighbour_write() noexcept {
  for (int i = 0; i < 200; ++i) asm volatile("");
}

/// The state of one wait. Not for the fast path: make it when the first look
/// found nothing.
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

  /// From the next step on.
  void now_may_run(may_run what) noexcept { may_run_ = what; }
  /// Before the first step.
  void waits_for(const void* subject, describe_subject describe) noexcept {
    subject_ = subject;
    describe_ = describe;
  }

  /// Makes progress; when there was none, spins, yields or sleeps a little.
  void step();

  /// The latest of this rank's waits that have left a note, of all threads.
  struct noted_wait {
    const void* which = nullptr;  ///< null: there is none
    std::uint32_t steps = 0;      ///< that have begun
    served_call serves;           ///< what its thread runs now
    const char* what = nullptr;
    site where;
  };
  [[nodiscard]] static noted_wait latest() noexcept;
  /// If it is still the latest, has others see that its thread runs this.
  static void note_function(const noted_wait& wait, const char* function) noexcept;

  /// A few looks at nothing but what is waited for and the mailbox: the answer of
  /// a neighbour comes sooner than a round of progress takes. None where that
  /// keeps the neighbour off its core.
  /// @return whether it is ready
  template <class Ready>
  [[nodiscard]] bool look(Ready& ready) const {
    for (std::uint32_t i = 0; i < looks_ && !mail_waits(); ++i) {
      if (ready()) return true;
      let_neighbour_write();
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
  std::int64_t since_ = 0;  ///< on the steady clock, in its own units: of the note
  waiter* noted_before_ = nullptr;
  const void* subject_ = nullptr;
  describe_subject describe_ = nullptr;
  const call_frame* frames_ = code_here.frames;
  const rpc_frame* rpcs_ = code_here.rpcs;
  // Of the stack of its thread; known when it is noted.
  const running_code* thread_ = nullptr;
  const void* stack_end_ = nullptr;
  char* details_ = nullptr;  ///< for people; owned
  std::uint32_t looks_;
  std::uint32_t steps_ = 0;
  std::uint32_t idle_rounds_ = 0;
  std::uint32_t wakes_ = 0;        ///< sleeps in a row that were soon ended
  std::uint32_t short_steps_ = 0;  ///< in a row: single messages, without the rest of progress
  may_run may_run_;
  bool noted_ = false;
  bool reported_ = false;
};

/// Waits until `ready()`; makes progress meanwhile. What user code throws that
/// runs meanwhile is kept (lost_failure.hpp): after a wait `ready()` holds, and
/// what it guards may go. Only the loss of the network is thrown at once.
/// @param what the call that waits, for people: "barrier"
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

/// Until `attempt()` succeeds, which has just failed for want of room. Cold.
template <class Attempt>
[[gnu::noinline, gnu::cold]] void retry_until(Attempt attempt, const char* what,
                                              const site& where = site::current()) {
  count(counted::no_room);
  waiter waiting(what, may_run::internal, where);
  do {
    waiting.step();
  } while (!attempt());
}

/// Until `attempt()` succeeds, as it does most often at once: false is for want of room.
template <class Attempt>
void until_room(Attempt attempt, const char* what) {
  if (!attempt()) [[unlikely]] {
    retry_until(attempt, what);
  }
}

/// For waits of users, and callers that keep templates away: futures. Throws at
/// its end what was kept.
/// @param describe  null: the stall watch names no subject
void wait_until(bool (*ready)(const void* subject), const void* subject, describe_subject describe,
                const char* what, site where);

}  // namespace acre::runtime
