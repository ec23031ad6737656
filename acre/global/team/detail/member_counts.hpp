// SPDX-License-Identifier: BSD-3-Clause
// Counters in all members' memory: a member adds to others' and waits for its own. Updates are
// locked instructions of the owner's node, sequentially consistent: an observer sees everything
// issued before the author's quiet(). left_bit marks that a member left by an exception.
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
    bool has_left;
  };

  /// Collective: 1 allgather. Others may add after the next barrier.
  /// @param each   counters per member
  /// @param place  counter to which this member adds
  member_counts(const team& members, std::size_t each, std::size_t place, const char* name,
                const char* ending, const site& where);
  ~member_counts();

  [[nodiscard]] global_ptr<std::uint64_t> at(rank_t member) const noexcept {
    return global_ptr<std::uint64_t>::from_bits(memory().bits_of(member)) +
           static_cast<std::ptrdiff_t>(place_);
  }
  /// Complete after quiet(). Cost: A.
  void add(rank_t member) const { add_and_wake(members(), member, at(member), 1); }
  void wake(rank_t member) const { wake_owner(members(), member, at(member)); }

  [[nodiscard]] value own(std::size_t place = 0) const noexcept {
    const std::uint64_t seen = std::atomic_ref(words()[place]).load(std::memory_order_acquire);
    return {seen & ~left_bit, (seen & left_bit) != 0};
  }
  /// @return false if the counter is less than `amount`
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
