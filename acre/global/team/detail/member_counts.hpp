// SPDX-License-Identifier: BSD-3-Clause
// Counts in the memory of all members of a team: a member adds to the counts of others, and waits
// for its own.
//
// All that change a count are locked instructions of CPUs: from other nodes they come as messages,
// which the CPU there executes. They are sequentially consistent, so a member that has seen an
// addition sees what its author had issued before it called quiet(). A member that leaves by an
// exception sets left_bit in its count at all others.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/team/detail/waking_add.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace acre::global {

class member_counts : public team_object<team_memory> {
 public:
  struct value {
    std::uint64_t count;
    bool has_left;  ///< a member that adds to it has left by an exception
  };

  /// Collective: 1 allgather. Others may add after the next barrier.
  /// @param each    counts of each member, 0 at first
  /// @param place   of the count to which this member adds at others
  /// @param name    of the object, for errors: "event"
  /// @param ending  "the destructor of the event made"
  member_counts(const team& members, std::size_t each, std::size_t place, const char* name,
                const char* ending, const site& where);
  ~member_counts();

  /// The count of a member to which this one adds.
  [[nodiscard]] global_ptr<std::uint64_t> at(rank_t member) const noexcept {
    return global_ptr<std::uint64_t>::from_bits(memory().bits_of(member)) +
           static_cast<std::ptrdiff_t>(place_);
  }
  /// Adds 1 to it. Complete after quiet(). Cost: A.
  void add(rank_t member) const { add_and_wake(members(), member, at(member), 1); }
  /// Wakes the member after its count has changed.
  void wake(rank_t member) const { wake_owner(members(), member, at(member)); }

  /// This member's count at `place`.
  [[nodiscard]] value own(std::size_t place = 0) const noexcept {
    const std::uint64_t seen = std::atomic_ref(words()[place]).load(std::memory_order_acquire);
    return {seen & ~left_bit, (seen & left_bit) != 0};
  }
  /// Subtracts `amount` from it, if it is as much. @return whether it was
  [[nodiscard]] bool take(std::uint64_t amount, std::size_t place = 0) const noexcept {
    const std::atomic_ref<std::uint64_t> word(words()[place]);
    std::uint64_t seen = word.load(std::memory_order_acquire);
    while ((seen & ~left_bit) >= amount) {
      if (word.compare_exchange_weak(seen, seen - amount)) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] std::uint64_t* words() const noexcept {
    return reinterpret_cast<std::uint64_t*>(memory().mine());
  }

  std::size_t place_;
};

}  // namespace acre::global
