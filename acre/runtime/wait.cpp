// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/wait.hpp>

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/detail/core_share.hpp>
#include <acre/runtime/detail/stack_limit.hpp>
#include <acre/runtime/detail/stall_settings.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/running_code.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <linux/futex.h>
#include <mutex>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace acre::runtime {

constinit stall_settings the_stall_settings;

namespace {

struct backoff {
  std::uint32_t spins;
  std::uint32_t yields;
  std::uint32_t rounds_a_yield;
  std::uint32_t most_doublings;
};

constinit thread_local core_share this_core;

/// With a network, polls are system calls, which delay others on this core, so yields begin soon.
/// Accesses by other ranks need polls, so sleeps begin after milliseconds, or a quarter second if
/// woken repeatedly.
backoff backoff_here() noexcept {
  const auto unless_in_vain = [](std::uint32_t spins) {
    return this_core.has_ranks() ? std::uint32_t{2} : spins;
  };
  if (world.conduit != nullptr && !crowded()) {
    return {.spins = unless_in_vain(32), .yields = 4000, .rounds_a_yield = 16, .most_doublings = 6};
  }
  return {.spins = unless_in_vain(crowded() ? 20 : 200),
          .yields = 400,
          .rounds_a_yield = 1,
          .most_doublings = 0};
}
constexpr std::uint32_t eager_rounds = 32;

constexpr long shortest_sleep_ns = 50'000;
constexpr long longest_sleep_ns = 4'000'000;

void yield() noexcept {
  const auto begin = core_share::clock::now();
  ::sched_yield();
  this_core.note_yield(begin, core_share::clock::now());
}

std::uint32_t current_core() noexcept { return static_cast<std::uint32_t>(::sched_getcpu()); }

bool futex_sleep(std::atomic<std::uint32_t>& word, std::uint32_t seen, long nanoseconds) noexcept {
  const timespec at_most{.tv_sec = 0, .tv_nsec = nanoseconds};
  return ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT, seen, &at_most,
                   nullptr, 0) == 0;
}

constinit spin_lock notes_lock;
constinit waiter* latest_noted = nullptr;

using wait_hook = void (*)();
constinit std::array<wait_hook, 3> long_wait_hooks{};

template <std::size_t Size>
void copy_text(char (&target)[Size], const char* text) noexcept {
  const std::size_t length = std::min(std::strlen(text), Size - 1);
  std::memcpy(target, text, length);
  target[length] = '\0';
}

}  // namespace

bool add_long_wait_hook(void (*hook)()) noexcept {
  const auto free = std::ranges::find(long_wait_hooks, wait_hook{});
  if (free == long_wait_hooks.end()) return false;
  *free = hook;
  return true;
}

bool shares_core() noexcept { return crowded() || this_core.has_ranks(); }

void call_long_wait_hooks() {
  for (const wait_hook hook : long_wait_hooks) {
    if (hook != nullptr) hook();
  }
}

void ring_bell(rank_t rank) noexcept {
  node_box& node = this_node();
  if (node.sleepers.load(std::memory_order_relaxed) == 0) return;
  rank_box& box = box_of(rank);
  if (box.asleep.load(std::memory_order_relaxed) == 0) return;
  box.rung_on.store(current_core(), std::memory_order_relaxed);
  box.bell.fetch_add(1, std::memory_order_release);
  ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&box.bell), FUTEX_WAKE, INT_MAX, nullptr,
            nullptr, 0);
}

void wait_until(bool (*ready)(const void* subject), const void* subject, describe_subject describe,
                const char* what, site where) {
  const auto is_ready = [=] { return ready(subject); };
  if (!is_ready()) {
    waiter waiting(what, may_run::user_code, where);
    waiting.waits_for(subject, describe);
    while (!waiting.look(is_ready)) {
      waiting.step();
      if (is_ready()) break;
    }
  }
  rethrow_lost_failure();
}

void visit_long_waits(void (*use)(void* context, const long_wait& wait), void* context) {
  const std::lock_guard hold(notes_lock);
  for (const waiter* each = latest_noted; each != nullptr; each = each->noted_before_) {
    use(context, {.subject = each->subject_,
                  .frames = each->frames_,
                  .rpcs = each->rpcs_,
                  .thread = each->thread_,
                  .begin = each,
                  .end = each->stack_end_});
  }
}

std::string describe_newest_wait() {
  const std::lock_guard hold(notes_lock);
  return latest_noted == nullptr ? std::string() : latest_noted->describe_itself();
}

std::uint32_t waiter::looks_between_steps(may_run what) noexcept {
  if (shares_core() || what != may_run::user_code) return 0;
  if (world.conduit == nullptr) return 16;
  return node_size() > 1 ? 2 : 0;
}

bool waiter::mail_waits() noexcept { return the_engine != nullptr && the_engine->has_mail(); }

void waiter::step() {
  require_may_wait(what_);
  if (the_engine == nullptr) {
    ::sched_yield();
    return;
  }
  constexpr std::uint32_t steps_between_notes = 64;
  std::atomic_ref(steps_).store(steps_ + 1, std::memory_order_relaxed);
  if (steps_ % steps_between_notes == 0) {
    if (!noted_) leave_note();
    look_around();
  } else if (!noted_ && the_stall_settings.functions_are_watched.load(std::memory_order_relaxed)) {
    leave_note();
  }
  constexpr std::uint32_t most_short_steps = 64;
  if (may_run_ == may_run::user_code && short_steps_ < most_short_steps &&
      the_engine->handle_next_directly()) {
    ++short_steps_;
    idle_rounds_ = 0;
    return;
  }
  short_steps_ = 0;
  if (make_progress() != 0) {
    idle_rounds_ = 0;
    return;
  }
  idle();
}

std::size_t waiter::make_progress() const {
  switch (may_run_) {
    case may_run::user_code:
      return the_engine->progress_all();
    case may_run::internal:
      return the_engine->progress_internal();
    case may_run::network_only:
      break;
  }
  return the_engine->poll_network();
}

void waiter::idle() {
  const std::uint32_t round = idle_rounds_++;
  const auto [spins, least_yields, rounds_a_yield, most_doublings] = backoff_here();
  const std::uint32_t yields = least_yields << std::min(wakes_, most_doublings);
  if (round < spins) {
    if (round >= eager_rounds) spin_pause();
    return;
  }
  const bool is_taken = this_core.may_be_taken() && this_core.is_taken(core_share::clock::now());
  if (round < spins + yields && !is_taken) {
    if (round % rounds_a_yield == 0) yield();
    return;
  }
  look_around();
  count(counted::sleep);
  // A wake-up before the sleep changes the word: the kernel then refuses. Direct stores do not
  // wake, so sleeps are short.
  rank_box& box = box_of(world.rank);
  const std::uint32_t seen = box.bell.load(std::memory_order_acquire);
  this_node().sleepers.fetch_add(1, std::memory_order_seq_cst);
  box.asleep.fetch_add(1, std::memory_order_seq_cst);
  if (!the_engine->has_work(may_run_)) {
    const std::uint32_t core = current_core();
    const std::uint32_t sleeps = round < spins + yields ? 0 : round - spins - yields;
    const std::uint32_t doublings = std::min<std::uint32_t>(sleeps / 4, 7);
    if (futex_sleep(box.bell, seen, std::min(shortest_sleep_ns << doublings, longest_sleep_ns))) {
      this_core.note_wake_up(box.rung_on.load(std::memory_order_relaxed) == core);
      idle_rounds_ = spins;
      wakes_ = doublings == 0 ? wakes_ + 1 : 0;
    }
  } else {
    ::sched_yield();
  }
  box.asleep.fetch_sub(1, std::memory_order_relaxed);
  this_node().sleepers.fetch_sub(1, std::memory_order_relaxed);
}

std::string waiter::describe_itself() const {
  std::string text =
      std::string(what_) + " at " + where_.file_name() + ":" + std::to_string(where_.line());
  if (details_ != nullptr) text += details_;
  return text;
}

void waiter::leave_note() {
  noted_ = true;
  since_ = std::chrono::steady_clock::now().time_since_epoch().count();
  thread_ = &code_here;
  stack_end_ = end_of_stack();
  if (the_stall_settings.limit.count() != 0) {
    std::string details;
    if (describe_ != nullptr) details = describe_(subject_);
    if (!details.empty()) details.insert(0, ", ");
    if (stack_is_short()) {
      details +=
          "; its waits are nested too deep for its stack: requests of other ranks are delayed";
    }
    if (!details.empty()) details_ = ::strdup(details.c_str());
  }
  const std::lock_guard hold(notes_lock);
  noted_before_ = latest_noted;
  latest_noted = this;
  show_latest();
}

void waiter::withdraw_note() noexcept {
  const std::lock_guard hold(notes_lock);
  waiter** link = &latest_noted;
  while (*link != this) link = &(*link)->noted_before_;
  *link = noted_before_;
  std::free(details_);
  if (the_engine != nullptr) show_latest();
}

void waiter::show_latest() noexcept {
  wait_note& note = box_of(world.rank).note;
  if (latest_noted == nullptr) {
    note.waiting.store(0, std::memory_order_relaxed);
    return;
  }
  copy_text(note.what, latest_noted->what_);
  const site& where = latest_noted->where_;
  copy_text(note.file, where.file_name());
  note.line = is_of_program(where) ? where.line() : 0;
  note.waiting.store(1, std::memory_order_release);
}

waiter::noted_wait waiter::latest() noexcept {
  const std::lock_guard hold(notes_lock);
  if (latest_noted == nullptr) return {};
  waiter& latest = *latest_noted;
  noted_wait seen{.which = &latest,
                  .steps = std::atomic_ref(latest.steps_).load(std::memory_order_relaxed),
                  .serves = {},
                  .what = latest.what_,
                  .where = latest.where_};
  __atomic_load(&latest.thread_->serves, &seen.serves, __ATOMIC_RELAXED);
  return seen;
}

void waiter::note_function(const noted_wait& wait, const char* function) noexcept {
  const std::lock_guard hold(notes_lock);
  if (latest_noted == wait.which) copy_text(box_of(world.rank).note.what, function);
}

void waiter::look_around() {
  watch_for_stall();
  if (may_run_ == may_run::user_code) call_long_wait_hooks();
}

void waiter::watch_for_stall() {
  const std::chrono::milliseconds limit = the_stall_settings.limit;
  if (reported_ || limit.count() == 0) return;
  using clock = std::chrono::steady_clock;
  const clock::time_point since{clock::duration(since_)};
  if (clock::now() - since < limit) return;
  reported_ = true;
  the_stall_settings.report();
}

}  // namespace acre::runtime
