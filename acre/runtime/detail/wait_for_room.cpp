// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/detail/wait_for_room.hpp>

#include <acre/base/site.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/detail/stack_limit.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace acre::runtime {

engine::wait_for_room::wait_for_room(engine& of, part_of whole) noexcept
    : engine_(of),
      is_user_wait_(whole == part_of::a_request),
      may_run_more_(held_back_sends < most_nested_sends && !stack_is_short()),
      waiting_("room for a message", may_run::internal, site::current()) {
  count(counted::no_room);
}

void engine::wait_for_room::step() {
  const bool queue_is_full = engine_.inbox_.bytes() > most_queued;
  const bool may_run_requests = is_user_wait_ && may_run_more_;
  if (may_run_requests && queue_is_full) {
    engine_.sends_run_requests_.store(true, std::memory_order_relaxed);
  }
  const bool runs_requests =
      may_run_requests && engine_.sends_run_requests_.load(std::memory_order_relaxed);
  if (is_user_wait_ && !runs_requests && !queue_is_full) engine_.tell_of_queued();
  if (queue_is_full && may_run_nothing()) {
    waiting_.now_may_run(may_run::network_only);
  } else {
    waiting_.now_may_run(runs_requests ? may_run::user_code : may_run::internal);
  }
  waiting_.step();
}

/// True if another thread has the user code, and drains the ring.
bool engine::wait_for_room::may_run_nothing() const noexcept {
  return engine_.share_of_this_thread() == inbox::share::nothing;
}

bool engine::wait_for_room::may_exceed_window_of(rank_t target) {
  if (may_run_more_) return false;
  const auto under_way =
      static_cast<std::uint32_t>(engine_.peer_words_[target].load(std::memory_order_relaxed));
  return engine_.excess_.allows(target, under_way, std::chrono::steady_clock::now());
}

void engine::run_some_of_queue() {
  if (inbox_.bytes() <= most_queued / 2) return;
  if (held_back_sends >= most_nested_sends || stack_is_short()) return;
  const held_back_send here;
  constexpr std::uint32_t most = 16;
  run_queue(most);
}

void engine::run_a_few() {
  const held_back_send here;
  constexpr int most = 4;
  std::size_t queued = 0;
  for (int i = 0; i < most && handle_next(queued); ++i) {
  }
}

}  // namespace acre::runtime
