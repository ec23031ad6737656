// SPDX-License-Identifier: BSD-3-Clause
// Detects broken guarantees with ACRE_CHECKS: a word next to the shared data records guarantees and
// operations of a phase.
//
//     record.note("my_container::insert", phase_entry::of(team, insert, only<insert>));
//
// Phases count this rank's collectives in the team and in the team of all ranks. An entry of a
// newer phase overwrites the word; those of older phases, and of code run for other ranks, whose
// phase may differ, are dropped. Threads of the memory's node write by compare-and-swap.
#pragma once

#include <acre/base/checks.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/progress.hpp>

#include <atomic>
#include <cstdint>

namespace acre {

class phase_entry {
 public:
  /// Empty entry, 0, in code run for other ranks.
  template <class Guarantee>
  static phase_entry of(const team& members, container_operation operation, Guarantee) noexcept {
    if (runtime::runs_for_others()) return phase_entry(0);
    std::uint64_t allowed = 0;
    for (unsigned each = 0; each < operations; ++each) {
      if (Guarantee::allows(static_cast<container_operation>(each))) allowed |= 1U << each;
    }
    const std::uint64_t phase = members.phase() + (members.is_world() ? 0 : world().phase());
    return phase_entry((phase & phase_mask) << phase_shift |
                       std::uint64_t{container::is_local<Guarantee>} << local_shift |
                       std::uint64_t{rank() + 1} << user_shift | allowed << operations |
                       std::uint64_t{1} << static_cast<unsigned>(operation));
  }

  explicit constexpr phase_entry(std::uint64_t bits) noexcept : bits_(bits) {}
  [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return bits_; }

  [[nodiscard]] constexpr std::uint64_t phase() const noexcept { return bits_ >> phase_shift; }
  [[nodiscard]] constexpr std::uint64_t done() const noexcept { return bits_ & operations_mask; }
  [[nodiscard]] constexpr std::uint64_t allowed() const noexcept {
    return bits_ >> operations & operations_mask;
  }
  [[nodiscard]] constexpr bool allows_all() const noexcept { return allowed() == operations_mask; }
  [[nodiscard]] constexpr bool is_local() const noexcept { return (bits_ >> local_shift & 1) != 0; }
  /// Rank + 1, or `many` for several users.
  [[nodiscard]] constexpr std::uint64_t user() const noexcept {
    return bits_ >> user_shift & user_mask;
  }
  [[nodiscard]] constexpr bool is_by_many() const noexcept { return user() == many; }

  [[nodiscard]] constexpr bool is_before(phase_entry other) const noexcept {
    const std::uint64_t ahead = (other.phase() - phase()) & phase_mask;
    return ahead != 0 && ahead <= phase_mask / 2;
  }

  [[nodiscard]] constexpr phase_entry with(phase_entry other) const noexcept {
    const std::uint64_t both = user() == other.user() ? user() : many;
    return phase_entry(
        phase() << phase_shift | std::uint64_t{is_local() || other.is_local()} << local_shift |
        both << user_shift | (allowed() & other.allowed()) << operations | (done() | other.done()));
  }
  /// True if each guarantee allows all operations, and a `local` part has one user.
  [[nodiscard]] constexpr bool keeps_guarantees() const noexcept {
    return (done() & ~allowed()) == 0 && !(is_local() && is_by_many());
  }

 private:
  static constexpr unsigned operations = 8;
  static constexpr std::uint64_t operations_mask = (1U << operations) - 1;
  static constexpr unsigned user_shift = 2 * operations;
  static constexpr std::uint64_t user_mask = (1U << 21) - 1;
  static constexpr std::uint64_t many = user_mask;
  static constexpr unsigned local_shift = user_shift + 21;
  static constexpr unsigned phase_shift = local_shift + 1;
  static constexpr std::uint64_t phase_mask = (std::uint64_t{1} << (64 - phase_shift)) - 1;

  std::uint64_t bits_;
};

[[noreturn]] void throw_not_local(const char* call, rank_t owner);
[[noreturn]] void throw_broken_guarantee(const char* call, phase_entry before, phase_entry now);

/// Word of a phase; thread-safe on its node; zeroed memory is empty.
class phase_record {
 public:
  /// @throws acre::error if the entries of this phase break a guarantee
  void note(const char* call, phase_entry now) {
    if (now.bits() == 0) return;
    std::atomic_ref<std::uint64_t> word(word_);
    std::uint64_t seen = word.load(std::memory_order_relaxed);
    for (;;) {
      const phase_entry before(seen);
      if (seen != 0 && now.is_before(before)) return;
      const bool is_first = seen == 0 || before.is_before(now);
      const phase_entry after = is_first ? now : before.with(now);
      if (!after.keeps_guarantees()) throw_broken_guarantee(call, before, now);
      if (after.bits() == seen ||
          word.compare_exchange_weak(seen, after.bits(), std::memory_order_relaxed)) {
        return;
      }
    }
  }

 private:
  alignas(8) std::uint64_t word_;
};

// No-ops without ACRE_CHECKS.

template <class Guarantee>
[[nodiscard]] phase_entry entry_if_checked(const team& members, container_operation operation,
                                           Guarantee guarantee) noexcept {
  if constexpr (base::has_checks) return phase_entry::of(members, operation, guarantee);
  return phase_entry(0);
}
inline void note_if_checked(phase_record& record, const char* call, phase_entry now) {
  if constexpr (base::has_checks) record.note(call, now);
}

}  // namespace acre
