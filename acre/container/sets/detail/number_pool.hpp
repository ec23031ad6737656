// SPDX-License-Identifier: BSD-3-Clause
// Numbers for the keys of a disjoint_set: each member has a range of slots, and slot s of member m
// is the number s × members + m, which does not change if the ranges grow.
#pragma once

#include <acre/base/divisor.hpp>
#include <acre/base/site.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/global/team/symmetric_array.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace acre::container {

/// Largest number of keys for which a rank takes numbers before it adds them.
inline constexpr std::size_t numbers_at_once = 512;

/// Slots of each member: those of `capacity` keys with good hashes, and those that ranks take for
/// keys which others add first.
[[nodiscard]] std::uint64_t slots_for(std::uint64_t capacity, rank_t members) noexcept;

class number_pool {
 public:
  /// Collective.
  number_pool(const team& members, std::uint64_t slots, const site& where)
      : members_(members.size()),
        slots_(slots),
        taken_(members, 1, where),
        spare_(members.size()) {}

  [[nodiscard]] std::uint64_t slots() const noexcept { return slots_; }
  void set_slots(std::uint64_t slots) noexcept { slots_ = slots; }

  /// Appends unused numbers of a member. Any thread. Cost: A.
  /// @throws acre::error if there are too few
  void take(rank_t member, std::size_t count, std::vector<std::uint64_t>& into, const char* call);
  void give_back(std::uint64_t number);

  /// Element of the forest.
  [[nodiscard]] std::uint64_t index_of(std::uint64_t number) const noexcept {
    return number % members_ * slots_ + number / members_;
  }
  [[nodiscard]] std::uint64_t number_at(std::uint64_t index) const noexcept {
    return index % slots_ * members_.value() + index / slots_;
  }

  /// Between collectives.
  void clear();

 private:
  std::size_t take_spare(rank_t member, std::size_t count, std::vector<std::uint64_t>& into);

  divisor members_;
  std::uint64_t slots_;
  symmetric_array<std::uint64_t> taken_;
  std::unique_ptr<spin_lock> lock_ = std::make_unique<spin_lock>();
  std::vector<std::vector<std::uint64_t>> spare_;  ///< under the lock
};

}  // namespace acre::container
