// SPDX-License-Identifier: BSD-3-Clause
// A member of a team: its number there, and its world rank. These differ outside the world, so a
// member converts to neither; calls that address a rank accept members.
#pragma once

#include <acre/runtime/world.hpp>

#include <compare>
#include <concepts>

namespace acre {

/// 8 bytes, trivially copyable; valid on all ranks, without its team.
class member {
 public:
  constexpr member(rank_t number, rank_t world_rank) noexcept
      : world_rank_(world_rank), number_(number) {}

  /// Number in its team.
  [[nodiscard]] constexpr rank_t number() const noexcept { return number_; }
  /// Rank in the job.
  [[nodiscard]] constexpr rank_t world_rank() const noexcept { return world_rank_; }
  [[nodiscard]] bool is_this_rank() const noexcept { return world_rank_ == rank(); }

  /// Compares world ranks.
  friend constexpr bool operator==(member a, member b) noexcept {
    return a.world_rank_ == b.world_rank_;
  }
  friend constexpr auto operator<=>(member a, member b) noexcept {
    return a.world_rank_ <=> b.world_rank_;
  }
  template <std::integral Number>
  friend constexpr bool operator==(member, Number) noexcept {
    static_assert(
        !std::integral<Number>,
        "a member of a team is not a number: compare its .number() with the team's rank(), or "
        "its .world_rank() with acre::rank(); is_this_rank() compares it with this rank");
    return false;
  }

 private:
  rank_t world_rank_;
  rank_t number_;
};

}  // namespace acre
