// SPDX-License-Identifier: BSD-3-Clause
// Mattern's four counters (detail/call_rounds.hpp) by questions to all ranks, in built-in messages,
// which no tally of calls includes.
#include <acre/global/team/quiescence.hpp>

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/global/team/detail/call_rounds.hpp>
#include <acre/global/team/detail/call_tally.hpp>
#include <acre/global/wire/handler_ids.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/job_hooks.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/require_job.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/wait.hpp>
#include <acre/runtime/world.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace acre {
namespace global {
namespace {

using runtime::word;
using clock = std::chrono::steady_clock;

constexpr clock::duration between_rounds = std::chrono::milliseconds(1);

class quiet_state final : public future_state<void> {
 public:
  quiet_state() : future_state<void>(2) {}

  void require_may_wait(const char* call, const site& where) const override {
    const runtime::served_call& here = runtime::code_here.serves;
    if (here.is_of_program()) return;
    runtime::require_may_wait(call);
    throw error(call,
                "quiescence() is awaited inside " + runtime::describe(here) +
                    ", and may come only after its end" + describe_place(where),
                "continue by then(), or let the program wait");
  }
};

struct search {
  explicit search(quiet_state* state) noexcept : quiet(future_access::make_promise<void>(state)) {}

  promise<> quiet;
  rank_t missing = 0;  ///< answers of this round
  call_sums sums;      ///< of this round
  std::optional<std::uint64_t> done_before;
  bool is_repeated = false;  ///< at once, as all calls were done
  clock::time_point next_round;

  /// Other threads do not continue a search with missing answers.
  void begin_round() noexcept {
    missing = runtime::world.size;
    sums = {};
    next_round = {};
  }
};

/// Answers arrive in any thread; rounds begin in threads that may run user code.
class searches : runtime::deferred_task {
 public:
  searches() noexcept {
    run = [](runtime::deferred_task& task) { static_cast<searches&>(task).continue_all(); };
  }

  [[nodiscard]] future<> begin() {
    auto* const state = new quiet_state;
    future<> quiet = future_access::share<void>(state);
    search added(state);
    added.begin_round();
    std::uint64_t number = 0;
    {
      const std::lock_guard hold(lock_);
      number = ++last_;
      all_.emplace(number, std::move(added));
      size_.store(all_.size(), std::memory_order_relaxed);
    }
    ask_all(number);
    return quiet;
  }

  void take(std::uint64_t number, call_sums of_rank) noexcept {
    {
      const std::lock_guard hold(lock_);
      const auto found = all_.find(number);
      if (found == all_.end() || found->second.missing == 0) return;
      search& here = found->second;
      here.sums.sent += of_rank.sent;
      here.sums.done += of_rank.done;
      if (--here.missing != 0) return;
    }
    leave();
  }

  /// Called in long waits.
  void look_at_time() noexcept {
    if (size_.load(std::memory_order_relaxed) == 0) return;
    const clock::time_point now = clock::now();
    {
      const std::lock_guard hold(lock_);
      bool is_due = false;
      for (const auto& [number, each] : all_) {
        is_due |= each.missing == 0 && each.next_round <= now;
      }
      if (!is_due) return;
    }
    leave();
  }

  void end_all() noexcept {
    std::map<std::uint64_t, search> gone;
    {
      const std::lock_guard hold(lock_);
      std::swap(gone, all_);
      size_.store(0, std::memory_order_relaxed);
    }
    is_left_ = false;
  }

 private:
  void leave() noexcept {
    if (!is_left_.exchange(true)) runtime::defer(*this);
  }

  void ask_all(std::uint64_t number) {
    try {
      const std::array<word, 1> question{number};
      for (rank_t each = 0; each < runtime::world.size; ++each) {
        if (each != runtime::world.rank) {
          runtime::send(each, handler_ids::quiet_question, question);
        }
      }
      take(number, calls_of_job());
    } catch (...) {
      fail(number, std::current_exception());
    }
  }

  void fail(std::uint64_t number, const std::exception_ptr& failure) {
    std::optional<search> failed = remove(number);
    if (failed) failed->quiet.set_exception(failure);
  }

  [[nodiscard]] std::optional<search> remove(std::uint64_t number) {
    const std::lock_guard hold(lock_);
    const auto found = all_.find(number);
    if (found == all_.end()) return {};
    std::optional<search> removed(std::move(found->second));
    all_.erase(found);
    size_.store(all_.size(), std::memory_order_relaxed);
    return removed;
  }

  void continue_all() {
    is_left_.store(false);
    std::vector<std::uint64_t> quiet;
    std::vector<std::uint64_t> due;
    const clock::time_point now = clock::now();
    {
      const std::lock_guard hold(lock_);
      for (auto& [number, each] : all_) {
        if (each.missing != 0) continue;
        if (each.next_round != clock::time_point()) {  // waits for its time
          if (each.next_round <= now) due.push_back(number);
        } else if (each.sums.sent == std::exchange(each.done_before, each.sums.done)) {
          quiet.push_back(number);
        } else if (each.sums.sent == each.sums.done && !std::exchange(each.is_repeated, true)) {
          due.push_back(number);
        } else {
          each.is_repeated = false;
          each.next_round = now + between_rounds;
        }
      }
      for (const std::uint64_t number : due) all_.at(number).begin_round();
    }
    for (const std::uint64_t number : due) ask_all(number);
    for (const std::uint64_t number : quiet) {
      std::optional<search> found = remove(number);
      if (found) found->quiet.set_value();
    }
  }

  spin_lock lock_;
  std::map<std::uint64_t, search> all_;
  std::uint64_t last_ = 0;
  std::atomic<std::size_t> size_{0};
  std::atomic<bool> is_left_{false};
};

/// Never destroyed: a process may exit without ending its job.
searches& all_searches() {
  static auto& made = *new searches;
  return made;
}

void answer_question(const runtime::message& question, runtime::responder& answer) {
  const call_sums here = calls_of_job();
  const std::array<word, 3> words{question.arguments[0], here.sent, here.done};
  answer.reply(handler_ids::quiet_answer, words);
}

void take_quiet_answer(const runtime::message& answer, runtime::responder&) {
  all_searches().take(answer.arguments[0],
                      {.sent = answer.arguments[1], .done = answer.arguments[2]});
}

[[maybe_unused]] const bool quiescence_registered =
    runtime::set_builtin_handler(handler_ids::quiet_question, answer_question, {.arguments = 1}) &&
    runtime::set_builtin_handler(handler_ids::quiet_answer, take_quiet_answer, {.arguments = 3}) &&
    runtime::add_long_wait_hook([] { all_searches().look_at_time(); }) &&
    runtime::add_job_hooks({.ended = [] { all_searches().end_all(); }});

}  // namespace
}  // namespace global

future<> quiescence() {
  runtime::require_job("quiescence");
  return global::all_searches().begin();
}

}  // namespace acre
