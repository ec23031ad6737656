// SPDX-License-Identifier: BSD-3-Clause
// Termination detection by four counters (F. Mattern, Algorithms for distributed termination
// detection, 1987): if messages sent, over all ranks, equal those done in the previous round, no
// message was in transit.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/detail/call_tally.hpp>
#include <acre/global/team/detail/mailbox.hpp>
#include <acre/global/team/detail/team_state.hpp>

#include <cstdint>

namespace acre::global {

struct kept_calls {
  void (*start)() noexcept = nullptr;
  void (*fail)() noexcept = nullptr;
  std::uint64_t (*count)() noexcept = nullptr;
};
bool register_kept_calls(kept_calls functions) noexcept;

void start_counting_calls() noexcept;
void stop_counting_calls() noexcept;
/// Calls since the start of the job; outside of a job more sent than done. Thread-safe.
[[nodiscard]] call_sums calls_of_job() noexcept;
void fail_kept_calls() noexcept;

/// Returns when no call is under way on any rank. Collective over all ranks; `kind`: drain or
/// job_end.
void await_all_calls(const team_ref& world, collective_kind kind, const site& where);

}  // namespace acre::global
