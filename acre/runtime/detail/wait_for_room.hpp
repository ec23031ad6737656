// SPDX-License-Identifier: BSD-3-Clause
// Wait of a send without room.
#pragma once

#include <acre/runtime/detail/held_back_sends.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/wait.hpp>

#include <atomic>
#include <cstddef>

namespace acre::runtime {

/// Queued bytes above which a request's wait runs the queue.
inline constexpr std::size_t most_queued = std::size_t{4} << 20;

/// Normally runs no user code, which might wait for this thread; requests of other ranks are queued
/// up to `most_queued`. Beyond, the wait of a request runs the queue, or mutual floods would queue
/// without bound (see "Cycles of full rings resolve" in docs/developers/modules/runtime.md).
/// docs/developers/modules/runtime.md).
class engine::wait_for_room {
 public:
  wait_for_room(engine& of, part_of whole) noexcept;

  void step();

  /// True if this request may exceed the full window of `target`, a rank of another node.
  [[nodiscard]] bool may_exceed_window_of(rank_t target);

 private:
  [[nodiscard]] bool may_run_nothing() const noexcept;

  engine& engine_;
  bool is_user_wait_;
  bool may_run_more_;
  held_back_send this_one_;
  waiter waiting_;
};

/// Called after a large request. Running some requests frees other ranks' blocks, which keeps
/// flooding ranks in step.
inline void engine::run_what_came() {
  if (sends_run_requests_.load(std::memory_order_relaxed) && held_back_sends == 0) run_a_few();
}

}  // namespace acre::runtime
