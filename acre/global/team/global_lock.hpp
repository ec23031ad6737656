// SPDX-License-Identifier: BSD-3-Clause
// Lock shared by the ranks of a team.
//
//     acre::global_lock lock(acre::world());
//     {
//       const std::scoped_lock held(lock);
//       *total = *total + mine;
//     }
//
// Queue lock (Mellor-Crummey, Scott: Algorithms for Scalable Synchronization on Shared-Memory
// Multiprocessors, TOCS 1991): fair, and ranks wait on their own memory. Prefer an atomic for one
// word, update() for hash tables.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/hosted_memory.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>

#include <cstdint>
#include <string>

namespace acre {

/// Held by a rank, not a thread; one thread at a time calls. Not recursive. If the holder dies, the
/// job ends. Acquire several one by one, in the same order on all ranks; a std::scoped_lock of
/// several retries for long.
class global_lock : team_object<team_memory> {
 public:
  /// Collective. Cost: B and 2 allgathers.
  /// @throws acre::error on all members if hosts differ or are no member, or memory is short
  explicit global_lock(const team& members, hosted_by host = {},
                       const site& where = site::current());
  /// Collective; no rank may hold or wait for it. Cost: 2 B.
  ~global_lock();

  /// Waits in FIFO order; RPCs run meanwhile. Writes of earlier holders are visible. Cost: A if
  /// free, else 2 A.
  /// @throws acre::error if this rank holds the lock or waits for it, or the network is lost
  void lock(const site& where = site::current());

  /// Acquires the lock if free. Cost: A.
  /// @return true if acquired
  /// @throws acre::error as lock()
  [[nodiscard]] bool try_lock(const site& where = site::current());

  /// Waits for this rank's operations without a future (quiet), then releases the lock. Failures
  /// are kept for a later call. Cost: quiet and A; 2 A if a rank has just begun to wait.
  /// @throws acre::error if this rank does not hold the lock
  void unlock(const site& where = site::current());

  /// True if this rank holds it. l.
  [[nodiscard]] bool is_held() const noexcept { return state_ == state::held; }

 private:
  struct words;
  enum class state : std::uint8_t { idle, waiting, held };

  [[nodiscard]] global_ptr<std::uint64_t> tail() const noexcept;
  /// Place where the lock was made, if the standard library called.
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
