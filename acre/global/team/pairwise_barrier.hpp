// SPDX-License-Identifier: BSD-3-Clause
// Barriers between two members each, of a team whose others go on: what Fortran calls sync images.
//
//     acre::pairwise_barrier edges(acre::world());
//     edges.sync({left, right});                 // both do the same, with this one
//
// The first sync of A with B meets the first of B with A, the second the second, and so on,
// whatever others each of them has in its list. All of a list are told before any is waited for, so
// lists need not be in any order.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/team.hpp>

#include <initializer_list>
#include <span>

namespace acre {

/// Each member has a word for each: 8 bytes in its segment, 16 elsewhere. Moves: local. One thread
/// at a time.
class pairwise_barrier {
 public:
  /// None: good for being assigned to.
  pairwise_barrier() noexcept;
  /// Collective. Cost: B and 1 allgather.
  explicit pairwise_barrier(const team& members, const site& where = site::current());
  pairwise_barrier(pairwise_barrier&&) noexcept;
  pairwise_barrier& operator=(pairwise_barrier&&) noexcept;
  /// Collective, B. Who leaves by an exception does not wait, and those who wait for it hear of it.
  ~pairwise_barrier();

  /// Waits until each of these is in its sync with this rank, too. What each issued before, without
  /// a future, is then done in its targets' memories (quiet), and both see it. RPCs of others run
  /// meanwhile. Cost: quiet, and A for each.
  /// @param with  numbers in the team; this rank's own is fine, and does nothing
  /// @throws acre::error, before anything is done, when there is no such member, or one is named
  ///         twice; and when one has left by an exception instead
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
