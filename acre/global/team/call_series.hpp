// SPDX-License-Identifier: BSD-3-Clause
// Calls that all members make in the same order, each waiting for some members only (halo updates).
// A member that waits long queries its peers (detail/roll_call.hpp); call and team fail if a peer
// calls differently, has ended the series, or waits for this member in a team collective.
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
  static constexpr std::uint32_t all_alike = ~std::uint32_t{0};

  /// @param object  number of the series, equal on all members and unique
  /// @param call  a literal
  call_series(const team& members, std::uint64_t object, const char* call);
  ~call_series();
  call_series(const call_series&) = delete;
  call_series& operator=(const call_series&) = delete;

  /// Begins the next call.
  /// @param meant  number for its meaning (direction), equal on all members
  void begin(std::uint32_t meant, const site& where);

  /// True if this member has waited long enough to query its peers by ask().
  [[nodiscard]] bool is_time_to_ask() noexcept;
  void ask(rank_t member);
  /// @throws acre::error if a queried member will not arrive
  void check(const site& where);
  [[nodiscard]] bool has_failed() const noexcept;
  /// If a collective of the team has failed, notifies members that wait for this one's next call.
  /// @return true if one has failed
  bool fail_with_team() noexcept;

 private:
  struct state;
  base::unique_object<state> state_;
};

}  // namespace acre
