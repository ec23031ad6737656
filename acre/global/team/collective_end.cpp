// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/collective_end.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/runtime/job_hooks.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/wait.hpp>

#include <exception>
#include <string>
#include <utility>

namespace acre {

void global::throw_no_object(const char* call, const char* what, const char* maker) {
  throw error(call,
              std::string("the ") + what + " does not exist: it was moved from, or never created",
              std::string("create one with ") + maker);
}

collective_end::collective_end(const char* ending, const site& where) noexcept
    : ending_(ending), where_(where), exceptions_(std::uncaught_exceptions()) {}

bool collective_end::is_orderly() const noexcept {
  return size() != 0 && !runtime::job_is_abandoned() && std::uncaught_exceptions() <= exceptions_;
}

namespace {

/// Completes without waiting; mismatches surface in the team's next collective.
task<> go_on_without_caller(task<global::scope_end_of_all> meeting) {
  try {
    static_cast<void>(co_await meeting);
  } catch (...) {
    co_return;
  }
}

}  // namespace

bool collective_end::meet(const team& members, std::uint64_t object) const noexcept {
  if (size() == 0 || runtime::job_is_abandoned()) return false;
  const bool orderly = is_orderly();
  try {
    const global::team_ref& team = members.reference();
    if (team->here->has_failed()) return false;
    const runtime::failures_held until_all_are_here;
    task<global::scope_end_of_all> meeting = global::start_scope_end(team, orderly, object);
    if (!orderly) {
      static_cast<void>(go_on_without_caller(std::move(meeting)));
      return false;
    }
    const global::blocked_in_collective until_all_come(*team->here, team->here->entered());
    runtime::wait_until([&] { return meeting.is_ready(); }, ending_, runtime::may_run::user_code,
                        where_);
    const global::scope_end_of_all all =
        global::finish(team, std::move(meeting), global::collective_kind::scope_end, where_);
    if (all.is_orderly && !all.is_same_object) {
      global::throw_calls_differ(
          members, global::common_call(ending_, where_).with_identity("the object", object));
    }
    return all.is_orderly;
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
    return false;
  }
}

bool collective_end::release(team_block& block, const team& members) const noexcept {
  if (meet(members, block.identity())) return true;
  block.abandon();
  return false;
}

}  // namespace acre
