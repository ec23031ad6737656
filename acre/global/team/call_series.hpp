// SPDX-License-Identifier: BSD-3-Clause
// Calls that the members of a team make equally often and in the same order, where each waits for
// some of the others only: updates of a halo.
//
// Nothing synchronises all members there, so nothing compares what they call. A member that waits
// for long asks those it waits for, as collectives do (detail/roll_call.hpp): one that makes this
// call of the series differently, has ended the series, or is blocked in a collective of the team
// that waits for this member, does not come, and that is an acre::error here. The team has failed
// then, so members that wait in its collectives hear of it as well. A call for which nobody waits
// long costs three stores.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/global/team/team.hpp>

#include <cstdint>
#include <span>

namespace acre {

/// One thread at a time.
class call_series {
 public:
  /// All calls mean the same.
  static constexpr std::uint32_t all_alike = ~std::uint32_t{0};

  /// @param object  the same on all members, and that of no other series
  /// @param call    of each of its calls; a literal
  call_series(const team& members, std::uint64_t object, const char* call);
  ~call_series();
  call_series(const call_series&) = delete;
  call_series& operator=(const call_series&) = delete;

  /// This member makes the next call.
  /// @param meant  a number that is the same on all members: which direction
  void begin(std::uint32_t meant, const site& where);

  /// For the wait in that call, again and again: whether it is time to ask.
  [[nodiscard]] bool is_time_to_ask() noexcept;
  /// Asks a member for which this one waits.
  void ask(rank_t member);
  /// @throws acre::error when one that was asked does not come
  void check(const site& where);
  /// Whether check() has thrown. Members that ask this one receive the cause then.
  [[nodiscard]] bool has_failed() const noexcept;
  /// If a collective of the team has failed here, passes its cause on to members that wait for this
  /// one's next call. @return whether one has failed
  bool fail_with_team() noexcept;

 private:
  struct state;
  base::unique_object<state> state_;
};

}  // namespace acre
