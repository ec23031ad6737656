// SPDX-License-Identifier: BSD-3-Clause
// Progress by the owner's threads.
#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/fabric/conduit.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/detail/body_in_block.hpp>
#include <acre/runtime/detail/handler_table.hpp>
#include <acre/runtime/detail/queued_message.hpp>
#include <acre/runtime/detail/send_near.hpp>
#include <acre/runtime/detail/sound_message.hpp>
#include <acre/runtime/detail/stack_limit.hpp>
#include <acre/runtime/detail/wait_for_room.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/request_window.hpp>
#include <acre/runtime/require_job.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/user_code.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <sched.h>
#include <utility>

namespace acre::runtime {
namespace {

thread_local constinit unsigned runs_of_others = 0;

thread_local constinit unsigned runs_of_queue = 0;

template <class Run>
void run_for_owner(Run&& run) noexcept {
  if constexpr (base::has_checks) ++runs_of_others;
  try {
    run();
  } catch (...) {
    keep_lost_failure(std::current_exception());
  }
  if constexpr (base::has_checks) --runs_of_others;
}

}  // namespace

void engine::give_up_user_code() noexcept {
  if (inbox_.give_up_user_code()) ring_bell(world.rank);
}

inbox::share engine::share_of_this_thread() const noexcept {
  const inbox::share mine = inbox_.share_of_this_thread();
  return mine == inbox::share::all && stack_is_short() ? inbox::share::all_but_requests : mine;
}

bool engine::handle_next_directly() {
  if (!cursor_.ready() || !inbox_.is_clear() || stack_is_short()) {
    return false;
  }
  constexpr std::size_t short_enough = most_in_cells + fabric::max_arguments * sizeof(word);
  alignas(std::max_align_t) std::array<std::byte, short_enough> body;
  fabric::message_header header;
  bool mine = false;
  bool popped = false;
  {
    if (!ring_lock_.try_lock()) return false;
    const std::lock_guard hold(ring_lock_, std::adopt_lock);
    popped = cursor_.pop([&](const message& received) {
      const std::size_t bytes = received.arguments.size_bytes() + received.payload.size();
      mine = handlers[received.header.handler].owner != nullptr && bytes <= short_enough;
      if (!mine) {
        accept_near(received);
        return;
      }
      if ((received.header.flags & body_in_block) != 0) {
        if (!names_body(received)) reject_form(received.header);
        require_sound(borrowed_body(received.header, received.arguments.data()).view().header);
      } else {
        require_sound(received.header);
      }
      count(counted::message_received);
      header = received.header;
      constexpr std::size_t one_cell = fabric::smp_ring::cell_bytes - sizeof(header);
      std::memcpy(body.data(), received.arguments.data(), one_cell);
      if (bytes > one_cell) {
        std::memcpy(body.data() + one_cell,
                    reinterpret_cast<const std::byte*>(received.arguments.data()) + one_cell,
                    bytes - one_cell);
      }
    });
  }
  if (!mine) return popped;
  if ((header.flags & body_in_block) != 0) {
    run_in_place(header, reinterpret_cast<const word*>(body.data()));
    return true;
  }
  run_for_owner([&] {
    const auto* arguments = reinterpret_cast<const word*>(body.data());
    handlers[header.handler].owner(
        {.header = header,
         .arguments = {arguments, header.argument_count},
         .payload = {body.data() + header.argument_count * sizeof(word), header.payload_bytes}});
  });
  return true;
}

void engine::run_in_place(const fabric::message_header& header, const word* words) noexcept {
  const borrowed_body whole(header, words);
  run_for_owner([&] { handlers[header.handler].owner(whole.view()); });
  whole.give_back();
}

std::size_t engine::progress_all() {
  if (held_back_sends == 0) sends_run_requests_.store(false, std::memory_order_relaxed);
  constexpr std::size_t most_directly = 64;
  std::size_t direct = 0;
  while (direct < most_directly && handle_next_directly()) ++direct;
  std::size_t queued = 0;
  if (inbox_.is_open()) [[unlikely]] {
    while (direct < most_directly && handle_next(queued)) ++direct;
  }
  const std::size_t handled =
      direct + queued + (direct < most_directly ? progress_internal() : poll_network());
  return inbox_.is_clear() ? handled : handled + run_what_waits(handled != 0);
}

std::size_t engine::run_what_waits(bool has_handled) {
  const bool is_gated = inbox_.has_gate();
  const std::size_t run = run_queue();
  if (is_gated && (has_handled || run != 0)) ring_bell(world.rank);
  return run;
}

/// Runs the next message, in place if possible. Older queued work runs first, as it forces copies.
/// @param queued  increased by queued items run
bool engine::handle_next(std::size_t& queued) {
  if (!cursor_.ready()) return false;
  if (inbox_.is_open()) queued += run_queue();
  return handle_next_directly();
}

std::size_t engine::run_queue(std::uint32_t most) {
  const inbox::share mine = share_of_this_thread();
  const std::uint32_t budget = mine == inbox::share::nothing ? 0 : std::min(most, inbox_.size());
  std::uint32_t handled = 0;
  ++runs_of_queue;
  for (; handled != budget; ++handled) {
    const inbox::work next = inbox_.pop(mine == inbox::share::all);
    if (next.task != nullptr) {
      run_for_owner([&] { next.task->run(*next.task); });
    } else if (next.mail != nullptr) {
      const std::unique_ptr<queued_message> owned(next.mail);
      if (next.unacknowledged) tell_of_run(owned->header.source, owned->units);
      run_for_owner([&] { handlers[owned->header.handler].owner(owned->view()); });
    } else {
      break;
    }
  }
  --runs_of_queue;
  if (mine != inbox::share::nothing && inbox_.size() != 0) run_at_end();
  return handled;
}

void engine::run_at_end() {
  for (std::uint32_t left = inbox_.size(); left != 0; --left) {
    deferred_task* const next = inbox_.pop_at_end();
    if (next == nullptr) return;
    run_for_owner([next] { next->run(*next); });
  }
}

void engine::tell_of_run(rank_t source, std::uint32_t units) {
  if (units == 0 || is_neighbour(source)) return;
  account& there = peer_words_[source];
  if (!note_run(there, units)) return;
  const word told = take_run(there, UINT32_MAX);
  if (told != 0) reply_to_rank(source, handler_ids::requests_run, std::span(&told, 1), {});
}

/// Acknowledges queued requests as if run, so that their senders may send more.
void engine::tell_of_queued() {
  while (const auto queued = inbox_.pop_unacknowledged())
    tell_of_run(queued->source, queued->units);
}

bool engine::has_work(may_run kind) const noexcept {
  if (!replies_.empty()) return true;
  if (kind == may_run::network_only) return false;
  if (cursor_.ready()) return true;
  if (kind == may_run::internal) return false;
  return inbox_.has_work_for(share_of_this_thread());
}

void hand_to_owner(const message& carried, const message& carrier) {
  the_engine->hand_to_owner(carried, charged_units(carrier.header));
}

void hand_to_owner(const message& carried) { the_engine->hand_to_owner(carried, 0); }

bool has_mail() noexcept { return the_engine->has_mail(); }

std::size_t progress_internal() { return the_engine->progress_internal(); }

void defer(deferred_task& task) noexcept { the_engine->defer(task); }

void defer_to_end(deferred_task& task) noexcept { the_engine->defer_to_end(task); }

bool more_is_to_run() noexcept { return runs_of_queue != 0 && the_engine->has_queue(); }

bool runs_for_others() noexcept { return runs_of_others != 0; }

void note_repeated_call() noexcept { the_engine->note_repeated_call(); }

void hold_user_code() noexcept { the_engine->hold_requests(); }

namespace {

void yield_now_and_then() {
  static thread_local constinit unsigned in_vain = 0;
  const unsigned vain_calls = crowded() ? 2 : 1000;
  if (++in_vain < vain_calls) return;
  in_vain = 0;
  call_long_wait_hooks();
  count(counted::yield);
  ::sched_yield();
}

}  // namespace

}  // namespace acre::runtime

namespace acre {

std::size_t progress() {
  if (runtime::the_engine == nullptr) return 0;
  runtime::require_may_wait("progress");
  const std::size_t handled = runtime::the_engine->progress_all();
  runtime::rethrow_lost_failure();
  if (handled == 0) runtime::yield_now_and_then();
  return handled;
}

user_code_thread::user_code_thread() {
  runtime::require_job("user_code_thread");
  if (!runtime::the_engine->take_user_code()) {
    throw error("user_code_thread", "another thread of this rank runs its user code",
                "end the user_code_thread of that thread first");
  }
}

user_code_thread::~user_code_thread() {
  if (runtime::the_engine != nullptr) runtime::the_engine->give_up_user_code();
}

}  // namespace acre
