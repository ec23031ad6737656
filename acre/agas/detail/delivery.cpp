// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/delivery.hpp>

#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/watched_objects.hpp>
#include <acre/agas/detail/whereabouts.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/undisturbed_sends.hpp>

#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace acre::agas {
namespace {

constinit object_mover* move_object_by = nullptr;

void send_on(rank_t to, parcel_header header, parcel_bytes parcel);

reader arguments_of(parcel_bytes parcel) {
  reader arguments(parcel);
  static_cast<void>(arguments.take(sizeof(parcel_header)));
  return arguments;
}

void tell_place(rank_t caller, const gid& name, place at, std::uint32_t misses) {
  count(agas_counted::hint_sent);
  const runtime::undisturbed_sends alone;
  rpc_ff(
      caller,
      [](const gid& object, place hint, std::uint32_t missed) {
        const held_lock hold(space().lock);
        count(agas_counted::cache_miss, missed);
        space().learn(object, hint);
      },
      name, at, misses);
}

void keep(parcel_bytes parcel) {
  count(agas_counted::call_kept);
  space().kept[header_of(parcel).target].push(std::make_unique<kept_parcel>(parcel));
}

void pass_on(parcel_header header, parcel_bytes parcel, held_lock& hold) {
  agas_timer timed(agas_timed::route);
  const std::optional<place> next = space().way_on(header.target, header.epoch);
  if (!next && space().entry_of(header.target) != nullptr) return keep(parcel);
  hold.unlock();
  if (!next) return timed.stop(), fail_for_lack(parcel);
  count(agas_counted::route);
  const bool had_no_hint = header.hops == 0 && header.epoch == 0 && header.caller != rank();
  if (had_no_hint && header.target.home() == rank()) header.missed = 1;
  header.epoch = next->epoch;
  send_on(next->owner, header, parcel);
}

void send_on(rank_t to, parcel_header header, parcel_bytes parcel) {
  const runtime::undisturbed_sends alone;
  if (header.hops != parcel_header::most_hops) ++header.hops;
  const global::owned_bytes copy(parcel.size());
  std::memcpy(copy.data(), parcel.data(), parcel.size());
  std::memcpy(copy.data(), &header, sizeof header);
  global::send_rpc(to, token_of<&deliver>(), 0, nullptr, std::span<const std::byte>(copy.span()));
}

void end_object(hosted_object& object, const parcel_header& request) {
  const gid name = object.name;
  parcel_queue behind;
  {
    const object_owner gone(&object);
    const held_lock hold(space().lock);
    space().let_go(object);
    if (space().entry_of(name) != nullptr) space().free_slot(name);
    behind = std::move(object.waiting);
    behind.append(std::move(object.early));
  }
  const runtime::undisturbed_sends alone;
  tell_end(name);
  answer(caller_of(request));
  while (!behind.is_empty()) fail_for_lack(behind.pop()->bytes.span());
}

enum class after_run : std::uint8_t { ended, goes_on, object_gone };

after_run run(hosted_object& object, const parcel_header& parcel, reader& arguments) {
  try {
    switch (parcel.kind) {
      case parcel_kind::move:
        return move_object_by(object, arguments, parcel) ? after_run::object_gone
                                                         : after_run::ended;
      case parcel_kind::destroy:
        end_object(object, parcel);
        return after_run::object_gone;
      case parcel_kind::close:
        answer(caller_of(parcel));
        return after_run::ended;
      default: {
        const runtime::serving now(
            {.caller = parcel.caller, .how = runtime::served_as::object_call});
        return global::resolve_named<object_invoker>(parcel.invoker)(&object, arguments, parcel)
                   ? after_run::ended
                   : after_run::goes_on;
      }
    }
  } catch (...) {
    fail(parcel, std::current_exception());
    return after_run::ended;
  }
}

void end(hosted_object& object, running_call& call) noexcept {
  space().end(object, call);
  if (call.kind != parcel_kind::concurrent_call) {
    object.is_running_alone = false;
    object.is_leaving = false;
    return;
  }
  --object.pins;
  if (object.has_gate()) object.record->gate->note_call(call.era, call.began, nanoseconds_now());
}

/// Runs a parcel's call. Locks again afterwards.
/// @return null if the object has left
hosted_object* run_now(hosted_object& object, const parcel_header& parcel, reader& arguments,
                       held_lock& hold) {
  running_call call;
  begin_running(object, call, parcel);
  if (parcel.is_call()) count_delivered(parcel.hops);
  const gid name = object.name;
  hold.unlock();
  after_run then{};
  {
    const runtime::within_call here(call.tag);
    then = run(object, parcel, arguments);
  }
  if (then != after_run::goes_on) return_credit(parcel.target);
  hold.lock();
  if (then == after_run::object_gone) return space().forget(call), nullptr;
  if (then == after_run::goes_on) return space().find(name);
  end(object, call);
  return &object;
}

void run_waiting(hosted_object* object, held_lock& hold) {
  while (object != nullptr) {
    const std::unique_ptr<kept_parcel> parcel = object->pop_next();
    if (parcel == nullptr) return;
    reader arguments = arguments_of(parcel->bytes.span());
    object = run_now(*object, parcel->header(), arguments, hold);
  }
}

void let_wait(hosted_object& object, std::unique_ptr<kept_parcel> parcel) {
  const parcel_header waits = parcel->header();
  object.let_wait(std::move(parcel));
  object.count_ends_that_wait();
  watch(object, waits);
}

bool let_early_ones_wait(hosted_object& object) {
  bool any = false;
  while (auto next = object.early.take_if(
             [&](const parcel_header& each) { return object.take_turn(each); })) {
    let_wait(object, std::move(next));
    any = true;
  }
  return any;
}

}  // namespace

void deliver(reader& payload, const global::rpc_return_address& last_hop) {
  const std::size_t bytes = payload.remaining();
  const parcel_bytes parcel(payload.take(bytes), bytes);
  require_parcel(parcel, last_hop.caller);
  receive(parcel);
}

void move_objects_by(object_mover* mover) noexcept { move_object_by = mover; }

void receive(parcel_bytes parcel) {
  parcel_header header = header_of(parcel);
  held_lock hold(space().lock);
  hosted_object* object = space().find(header.target);
  if (object == nullptr) return pass_on(header, parcel, hold);
  if (header.hops != 0 && header.caller == rank()) count(agas_counted::cache_miss, header.missed);
  if (header.hops != 0 && header.caller != rank()) {
    if (const auto misses = object->hint_due(header)) {
      const place here{.owner = rank(), .epoch = object->epoch};
      header.missed = 0;
      hold.unlock();
      tell_place(header.caller, header.target, here, *misses);
      hold.lock();
      object = space().find(header.target);
      if (object == nullptr) return pass_on(header, parcel, hold);
    }
  }
  if (!object->take_turn(header)) {
    count(agas_counted::call_early);
    return object->early.push(std::make_unique<kept_parcel>(parcel));
  }
  const bool runs_now = object->may_begin_at_once(header);
  if (!runs_now) let_wait(*object, std::make_unique<kept_parcel>(parcel));
  const bool more_waits = !object->early.is_empty() && let_early_ones_wait(*object);
  if (!runs_now) return more_waits ? run_waiting(object, hold) : void();
  reader arguments = arguments_of(parcel);
  run_waiting(run_now(*object, header, arguments, hold), hold);
}

void begin_running(hosted_object& object, running_call& call,
                   const parcel_header& parcel) noexcept {
  call.tag = space().new_tag(parcel.family());
  call.object = object.name;
  call.caller = parcel.caller;
  call.kind = parcel.kind;
  call.answer = parcel.answer;
  if (object.has_gate()) {
    call.era = object.record->gate->era();
    call.began = object.record->gate->open_time(nanoseconds_now());
  }
  space().begin(object, call);
  if (parcel.kind == parcel_kind::concurrent_call) {
    ++object.pins;
  } else {
    object.is_running_alone = true;
    object.is_leaving = parcel.is_about_object();
  }
}

void receive(parcel_queue kept) {
  while (!kept.is_empty()) receive(kept.pop()->bytes.span());
}

void fail_for_lack(parcel_bytes parcel) {
  const parcel_header header = header_of(parcel);
  if (header.is_call()) {
    try {
      reader arguments = arguments_of(parcel);
      global::resolve_named<object_invoker>(header.invoker)(nullptr, arguments, header);
    } catch (...) {
      // reported below
    }
  }
  fail(header, std::make_exception_ptr(no_such_object(call_of(header.kind), header.target)));
  return_credit(header.target);
}

void tell_end(const gid& name) {
  const auto note_end = [](const gid& ended) {
    held_lock hold(space().lock);
    if (space().entry_of(ended) == nullptr) return;
    space().free_slot(ended);
    parcel_queue kept = space().pop_kept(ended);
    hold.unlock();
    receive(std::move(kept));
  };
  if (name.home() == rank()) return note_end(name);
  const runtime::undisturbed_sends alone;
  rpc_ff(name.home(), note_end, name);
}

void fail(const parcel_header& parcel, const std::exception_ptr& failure) {
  if (parcel.is_awaited()) return global::send_rpc_failure(caller_of(parcel), failure);
  runtime::keep_lost_failure(failure);
}

void fail(const parcel_header& parcel, const std::string& problem, const std::string& advice) {
  fail(parcel, std::make_exception_ptr(error(call_of(parcel.kind), problem, advice)));
}

void answer(const global::rpc_return_address& requester) {
  if (requester.is_awaited()) global::send_rpc_result(requester, std::span<const std::byte>());
}

void let_go_on(hosted_object& object, running_call& record,
               const global::future_state_base* ends_by) noexcept {
  const held_lock hold(space().lock);
  const std::uint64_t number = runtime::current_call().call;
  for (const running_call* each = object.running; each != nullptr; each = each->next_here) {
    if (each->tag.call != number) continue;
    record = *each;
    record.ends_by = ends_by;
    return space().replace(object, record);
  }
}

void take_back(hosted_object& object, running_call& record) noexcept {
  const held_lock hold(space().lock);
  space().end(object, record);
}

void run_waiting_of(const gid& name) noexcept {
  try {
    held_lock hold(space().lock);
    run_waiting(space().find(name), hold);
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
}

void end_call(const gid& name, running_call& record) noexcept {
  try {
    return_credit(name);
    held_lock hold(space().lock);
    hosted_object* const object = space().find(name);
    if (object == nullptr) throw no_such_object("invoke", name);
    end(*object, record);
    run_waiting(object, hold);
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
}

}  // namespace acre::agas
