// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/invoke_prioritised.hpp>

#include <acre/base/spin_lock.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/progress.hpp>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::agas {
namespace {

struct waiting_call {
  int priority = 0;
  std::uint64_t arrival = 0;
  promise<> turn;

  friend bool operator<(const waiting_call& a, const waiting_call& b) noexcept {
    return std::tie(b.priority, b.arrival) < std::tie(a.priority, a.arrival);
  }
};

/// Deferred to the begin of the next step, then to its end: messages received before run first.
class turns : runtime::deferred_task {
 public:
  [[nodiscard]] future<> add(int priority) {
    waiting_call added;
    added.priority = priority;
    future<> turn = added.turn.get_future();
    const std::lock_guard hold(lock_);
    added.arrival = ++last_;
    heap_.push_back(std::move(added));
    std::push_heap(heap_.begin(), heap_.end());
    if (heap_.size() == 1) defer_to_end();
    return turn;
  }

 private:
  void defer_to_end() noexcept {
    run = [](runtime::deferred_task& task) { static_cast<turns&>(task).give_next(); };
    runtime::defer_to_end(*this);
  }
  void defer_to_next_step() noexcept {
    run = [](runtime::deferred_task& task) { static_cast<turns&>(task).defer_to_end(); };
    runtime::defer(*this);
  }

  void give_next() {
    promise<> turn;
    {
      const std::lock_guard hold(lock_);
      if (runtime::has_mail() && ++postponed_ < most_postponed) return defer_to_next_step();
      postponed_ = 0;
      std::pop_heap(heap_.begin(), heap_.end());
      turn = std::move(heap_.back().turn);
      heap_.pop_back();
      if (!heap_.empty()) defer_to_next_step();
    }
    turn.set_value();
  }

  /// So that a stream of messages does not delay the calls for ever.
  static constexpr int most_postponed = 32;

  spin_lock lock_;
  std::vector<waiting_call> heap_;
  std::uint64_t last_ = 0;
  int postponed_ = 0;
};

/// Never destroyed: a process may exit without ending its job.
turns& turns_here() {
  static auto& made = *new turns;
  return made;
}

}  // namespace

future<> wait_for_turn(int priority) { return turns_here().add(priority); }

}  // namespace acre::agas
