// SPDX-License-Identifier: BSD-3-Clause
// Barriers between two members of a team (Fortran: sync images). The n-th sync of A with B matches
// the n-th of B with A, whichever others are listed.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/team.hpp>

#include <initializer_list>
#include <span>

namespace acre {

/// Memory at each member: for every member of the team 8 bytes in the segment, 16 elsewhere. Moves
/// are local. One thread at a time.
class pairwise_barrier {
 public:
  /// Makes an empty handle.
  pairwise_barrier() noexcept;
  /// Collective. Cost: B and 1 allgather.
  explicit pairwise_barrier(const team& members, const site& where = site::current());
  pairwise_barrier(pairwise_barrier&&) noexcept;
  pairwise_barrier& operator=(pairwise_barrier&&) noexcept;
  /// Collective, B. During stack unwinding it does not wait, but notifies waiting members.
  ~pairwise_barrier();

  /// Waits until each listed member syncs with this rank. Operations that either issued before,
  /// without a future, are then complete (quiet) and visible to both. RPCs run meanwhile. Cost:
  /// quiet, and A per member.
  /// @param with  this rank's own number is ignored
  /// @throws acre::error, before any effect, for an unknown or repeated member; or if one has left
  /// by an exception
  void sync(std::span<const rank_t> with, const site& where = site::current());
  void sync(std::initializer_list<rank_t> with, const site& where = site::current()) {
    sync(std::span(with.begin(), with.size()), where);
  }
  void sync(rank_t with, const site& where = site::current()) { sync(std::span(&with, 1), where); }
  void sync(member with, const site& where = site::current()) {
    sync(members().number_of(with), where);
  }

  [[nodiscard]] const team& members() const;
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

 private:
  struct state;
  [[nodiscard]] state& get(const char* call) const;

  base::unique_object<state> state_;
};

}  // namespace acre
