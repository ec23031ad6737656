// SPDX-License-Identifier: BSD-3-Clause
// A member of a team: its number there, and its rank in the job.
//
//     const acre::member owner = map.owner(key);
//     acre::rpc(owner, add_edge, key);             // at its rank, whatever team the map has
//     if (owner.is_this_rank()) …
//     ++keys_of[owner.number()];                   // one of 0 … size() - 1 of the map's team
//     acre::rpc(row[next], greet);                 // member `next` of a team
//
// The two are the same number in the world, and hardly ever in other teams: programs that mix
// them up work until they are given a team. So a member is no number. Calls that reach a rank
// take it as it is; who wants a number says which one.
#pragma once

#include <acre/runtime/world.hpp>

#include <compare>
#include <concepts>

namespace acre {

/// 8 bytes, trivially copyable; it means the same on all ranks, and needs no team to be kept.
class member {
 public:
  constexpr member(rank_t number, rank_t world_rank) noexcept
      : world_rank_(world_rank), number_(number) {}

  /// In its team.
  [[nodiscard]] constexpr rank_t number() const noexcept { return number_; }
  /// In the job: what acre::rank() is there.
  [[nodiscard]] constexpr rank_t world_rank() const noexcept { return world_rank_; }
  [[nodiscard]] bool is_this_rank() const noexcept { return world_rank_ == rank(); }

  /// By rank: a rank that is in two teams is equal to itself.
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
        "a member of a team is no number: compare its .number() with the team's rank(), or "
        "its .world_rank() with acre::rank(); is_this_rank() says whether it is this one");
    return false;
  }

 private:
  rank_t world_rank_;
  rank_t number_;
};

}  // namespace acre
