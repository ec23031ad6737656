// SPDX-License-Identifier: BSD-3-Clause
// Rounds that find out whether all RPCs of the job have run.
//
// In each round all ranks add up how many messages of calls they have sent and
// have done (call_tally.hpp). When as many were sent, in this round, as were done
// in the round before, nothing was under way between the two: what a rank has
// done it had been sent, what it sends it does so in a call that is not done yet,
// and neither number ever gets less (F. Mattern, Algorithms for distributed
// termination detection, 1987: the four counters).
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/detail/mailbox.hpp>
#include <acre/global/team/detail/team_state.hpp>

#include <cstdint>

namespace acre::global {

/// Calls that are kept until an object that they are for is made: functions of the module that
/// keeps them.
struct kept_calls {
  void (*start)() noexcept = nullptr;  ///< when a job starts
  void (*fail)() noexcept = nullptr;  ///< before it ends: those that wait fail, and those that come
  std::uint64_t (*count)() noexcept = nullptr;
};
bool register_kept_calls(kept_calls functions) noexcept;

/// A job starts: calls of one before do not count.
void start_counting_calls() noexcept;
/// Before the job ends.
void fail_kept_calls() noexcept;

/// Returns when nothing is under way. Collective over the world; `kind` is drain or job_end. The
/// stall watch names the rank that goes on sending.
void await_all_calls(const team_ref& world, collective_kind kind, const site& where);

}  // namespace acre::global
