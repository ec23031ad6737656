// SPDX-License-Identifier: BSD-3-Clause
// A lock that the ranks of a team share: for what several of them must not do at once.
//
//     acre::global_lock lock(acre::world());
//     {
//       const std::scoped_lock held(lock);
//       *total = *total + mine;                  // nobody else is here
//     }
//
// It is a queue (Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory
// Multiprocessors, TOCS 1991): who comes says so in the host's word, and tells the one before;
// each waits at a word of its own memory, for that one to hand over. So it is fair, and waiting
// costs the network nothing. An update of one word is better done by an atomic, and one of a hash
// table by update().
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/hosted_memory.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>

#include <cstdint>
#include <string>

namespace acre {

/// A rank has it or has it not, whichever of its threads asks: one at a time may. It cannot be
/// taken twice. A rank that dies with it ends the job, as always. Use std::scoped_lock,
/// std::unique_lock, or lock() and unlock(). Several are taken one after the other, in the same
/// order on all ranks: a std::scoped_lock of several tries, and gives back, and tries again, for
/// long.
class global_lock : team_object<team_memory> {
 public:
  /// Collective. Cost: B and 2 allgathers.
  /// @param host  the member whose word says who is last
  /// @throws acre::error on all members when they name different hosts, or one that is no member
  explicit global_lock(const team& members, hosted_by host = {},
                       const site& where = site::current());
  /// Collective; nobody has it or waits for it any more. Cost: 2 B.
  ~global_lock();

  /// Waits until this rank has it, in the order of asking; RPCs of others run meanwhile. What was
  /// written by those who had it before is seen. Cost: A where nobody has it; else A and W.
  /// @throws acre::error when this rank has it or waits for it, and when the network is lost
  void lock(const site& where = site::current());

  /// Takes it if nobody has it. Cost: A. @return whether this rank has it now
  [[nodiscard]] bool try_lock(const site& where = site::current());

  /// Hands it to the next in the queue, after all that this rank has issued without a future is
  /// complete (quiet). What fails then is kept for a later call. Cost: A where nobody waits, or
  /// W; and quiet.
  /// @throws acre::error when this rank has not got it
  void unlock(const site& where = site::current());

  /// Whether this rank has it. l.
  [[nodiscard]] bool is_held() const noexcept { return state_ == state::held; }

 private:
  struct words;
  enum class state : std::uint8_t { idle, waiting, held };

  [[nodiscard]] global_ptr<std::uint64_t> tail() const noexcept;
  /// The call's site; inside of the standard library that of the lock, for users know it.
  [[nodiscard]] const site& place_of(const site& call) const noexcept;
  [[nodiscard]] std::string words_of_place(const site& call) const;
  void start(const char* call, const site& where);
  void hand_over(const site& where);

  global_lock(hosted_memory tail, const team& members, const site& where);

  hosted_memory tail_;
  site made_;
  state state_ = state::idle;
};

}  // namespace acre
