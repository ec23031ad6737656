// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/hosted_object.hpp>

#include <acre/agas/detail/admission.hpp>
#include <acre/base/error.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace acre::agas {
namespace {

std::vector<caller_stream>::iterator find(std::vector<caller_stream>& callers, rank_t caller) {
  return std::ranges::lower_bound(callers, caller, {}, &caller_stream::caller);
}

constexpr std::uint32_t calls_a_hint = 8;

}  // namespace

std::int64_t nanoseconds_now() noexcept {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void* base_part_of(hosted_object& object, const object_type& base) {
  void* const part = upcast(object.type->value(object), *object.type, base);
  if (part != nullptr) return part;
  throw error("invoke", to_string(object.name) + " is a " + name_of(*object.type) + ", not a " +
                            name_of(base));
}

void hosted_object::let_wait(std::unique_ptr<kept_parcel> parcel) {
  if (record == nullptr) record = std::make_unique<waiting_record>();
  if (parcel->header().is_about_object() && waiting_changes++ == 0) {
    record->gate.emplace(nanoseconds_now(), record->last_era + 1);
  }
  waiting_concurrent += parcel->header().kind == parcel_kind::concurrent_call ? 1 : 0;
  waiting.push(std::move(parcel));
}

void hosted_object::note_taken(const kept_parcel* taken) noexcept {
  if (taken == nullptr) return;
  const parcel_header header = taken->header();
  if (header.kind == parcel_kind::concurrent_call) --waiting_concurrent;
  if (header.is_about_object() && --waiting_changes == 0) {
    record->last_era = record->gate->era();
    record->gate.reset();
  }
}

void hosted_object::count_ends_that_wait() noexcept {
  if (waiting_changes == 0) return;
  waiting.for_each_kept([&](kept_parcel& each) {
    const parcel_header header = each.header();
    if (header.kind != parcel_kind::destroy || header.is_awaited()) return;
    if (pinned_by != nullptr) {
      each.counted.reset();
    } else if (!each.counted) {
      each.counted.emplace();
    }
  });
}

std::unique_ptr<kept_parcel> hosted_object::pop_next() {
  if (waiting.is_empty() || is_leaving) return nullptr;
  if (is_running_alone && waiting_concurrent == 0) return nullptr;
  admission<hosted_object, parcel_header> may_begin(*this);
  std::unique_ptr<kept_parcel> taken = waiting.take_if(may_begin);
  note_taken(taken.get());
  return taken;
}

bool hosted_object::may_begin_at_once(const parcel_header& parcel) const {
  admission<hosted_object, parcel_header> may_begin(*this);
  if (!may_begin.may_run(parcel)) return false;
  if (waiting.is_empty()) return true;
  if (parcel.is_about_object()) return false;
  waiting.for_each([&](parcel_bytes each) { may_begin.note_waiting(header_of(each)); });
  return may_begin(parcel);
}

std::unique_ptr<kept_parcel> hosted_object::pop_waiting(const parcel_header& parcel) {
  std::unique_ptr<kept_parcel> taken = waiting.take_if([&](const parcel_header& each) {
    return each.caller == parcel.caller && each.stream == parcel.stream &&
           each.number == parcel.number;
  });
  note_taken(taken.get());
  return taken;
}

bool hosted_object::take_turn(const parcel_header& parcel) {
  const auto at = find(callers, parcel.caller);
  if (at == callers.end() || at->caller != parcel.caller) {
    if (parcel.number != 0) return false;
    const std::uint32_t calls_until_hint = parcel.hops == 0 ? 0 : calls_a_hint - 1;
    callers.insert(at, {.caller = parcel.caller,
                        .stream = parcel.stream,
                        .next = 1,
                        .calls_until_hint = calls_until_hint});
    return true;
  }
  if (at->stream != parcel.stream && parcel.number == 0) {
    *at = {parcel.caller, parcel.stream, 0, at->calls_until_hint, at->misses};
  }
  if (at->stream != parcel.stream || at->next != parcel.number) return false;
  ++at->next;
  return true;
}

std::optional<std::uint32_t> hosted_object::hint_due(const parcel_header& parcel) noexcept {
  const auto at = find(callers, parcel.caller);
  if (at == callers.end() || at->caller != parcel.caller) return parcel.missed;
  at->misses += parcel.missed;
  const bool is_due = at->calls_until_hint == 0;
  at->calls_until_hint = is_due ? calls_a_hint - 1 : at->calls_until_hint - 1;
  if (!is_due) return {};
  return std::exchange(at->misses, 0);
}

}  // namespace acre::agas
