// SPDX-License-Identifier: BSD-3-Clause
// The wait of a send that finds no room, and what it may run meanwhile. Private to the runtime.
#pragma once

#include <acre/runtime/detail/held_back_sends.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/wait.hpp>

#include <atomic>
#include <cstddef>

namespace acre::runtime {

/// Bytes, before a request's wait runs what is queued.
inline constexpr std::size_t most_queued = std::size_t{4} << 20;

/// It runs no code of users, for what that waits for may be what this thread does after the send.
/// So what others ask of this rank is queued, and they may send on; but only up to a limit. Then a
/// request's wait runs what is queued, as any wait of the user's does, or two ranks that send to
/// each other without end would hold more and more. From then on the waits of further requests run
/// what comes where it lies, without a queue, until the rank waits or makes progress of its own
/// accord; and larger requests that find room run some of it too (engine::run_what_came). A thread
/// that may run nothing, for another has the rank's user code, leaves the ring as it is once the
/// queue is full: who sends to this rank waits then, until that other thread runs what is queued.
/// Nested deep, or with little stack left, nothing more is run; then the ranks of a cycle could
/// wait for each other for ever, so after a while windows are exceeded (window_excess.hpp).
class engine::wait_for_room {
 public:
  wait_for_room(engine& of, part_of whole) noexcept;

  void step();

  /// Whether a request may go to a rank of another node though its window is full.
  [[nodiscard]] bool may_exceed_window_of(rank_t target);

 private:
  [[nodiscard]] bool may_run_nothing() const noexcept;

  engine& engine_;
  bool is_user_wait_;
  bool may_run_more_;
  held_back_send this_one_;  ///< after what may_run_more_ counts
  waiter waiting_;
};

/// After a request whose payload is not short. This keeps two ranks that flood each other in step:
/// each gives the other's blocks back while it still finds its own free, so neither waits, and few
/// blocks are written again and again.
inline void engine::run_what_came() {
  if (sends_run_requests_.load(std::memory_order_relaxed) && held_back_sends == 0) run_a_few();
}

}  // namespace acre::runtime
