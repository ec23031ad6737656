// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/event.hpp>

#include <acre/base/error.hpp>
#include <acre/global/memory/wait_until.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/team/detail/member_counts.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <string>

namespace acre {

struct event::state : global::member_counts {
  state(const team& of, const site& where)
      : global::member_counts(of, 1, 0, "event", "the destructor of the event made", where) {}

  [[nodiscard]] bool acquire_or_throw(std::uint64_t wanted) const {
    // Read first: posts made before a member left are visible then.
    const bool is_over = own().has_left;
    if (take(wanted)) return true;
    if (is_over) global::throw_has_left("event::wait", "a member of the event's team");
    return false;
  }
};

event::event() noexcept = default;
event::event(event&&) noexcept = default;
event& event::operator=(event&&) noexcept = default;
event::~event() = default;

event::event(const team& members, const site& where) {
  const runtime::failures_held until_it_is_there;
  state_ = base::make_unique_object<state>(members, where);
  members.barrier(where);
}

event::state& event::get(const char* call) const {
  return global::require_object(state_.get(), call, "event", "event{team}");
}

const team& event::members() const { return get("event::members").members(); }

global_ptr<std::uint64_t> event::pointer(rank_t number, const site& where) const {
  const state& here = get("event::pointer");
  const rank_t size = here.members().size();
  if (number >= size) [[unlikely]] {
    global::throw_no_member(("event" + describe_place(where)).c_str(), number, size);
  }
  return here.at(number);
}

void event::post(rank_t number, const site& where) {
  static_cast<void>(pointer(number, where));
  quiet();
  state_->add(number);
}

void event::wake(rank_t number) const { state_->wake(number); }

bool event::try_wait(std::uint64_t count) { return get("event::try_wait").take(count); }

void event::wait(std::uint64_t count, const site& where) {
  const state& here = get("event::wait");
  global::wait_until([&] { return here.acquire_or_throw(count); }, "event::wait", where);
}

std::uint64_t event::query() const { return get("event::query").own().count; }

}  // namespace acre
