// SPDX-License-Identifier: BSD-3-Clause
// Wait of a send without room.
#pragma once

#include <acre/runtime/detail/held_back_sends.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/wait.hpp>

#include <atomic>
#include <cstddef>

namespace acre::runtime {

/// Queued bytes before a request's wait runs them.
inline constexpr std::size_t most_queued = std::size_t{4} << 20;

/// Runs no user code, which might wait for this thread's next action; requests of other ranks are
/// queued up to `most_queued`. Beyond it:
/// - A request's wait runs the queue, or ranks that flood each other would queue without bound.
/// Until the rank itself waits or makes progress, request waits then run messages in the ring, and
/// larger requests run some too (engine::run_what_came).
/// - A thread without the user code leaves the ring full, so senders wait.
/// - If nested deeply, or short of stack, it runs no requests; windows are exceeded after a while
/// (window_excess.hpp).
class engine::wait_for_room {
 public:
  wait_for_room(engine& of, part_of whole) noexcept;

  void step();

  /// True if the full window of another node's rank may be exceeded.
  [[nodiscard]] bool may_exceed_window_of(rank_t target);

 private:
  [[nodiscard]] bool may_run_nothing() const noexcept;

  engine& engine_;
  bool is_user_wait_;
  bool may_run_more_;
  held_back_send this_one_;  ///< counted after may_run_more_
  waiter waiting_;
};

/// After a large request: frees the other rank's blocks while own ones are available, which keeps
/// flooding ranks in step.
inline void engine::run_what_came() {
  if (sends_run_requests_.load(std::memory_order_relaxed) && held_back_sends == 0) run_a_few();
}

}  // namespace acre::runtime
