// SPDX-License-Identifier: BSD-3-Clause
// With ACRE_CHECKS, the entry that this rank has recorded at each member of another node
// (phase_record.hpp). A phase's first read there is a message that records it; later gets run no
// code there.
#pragma once

#include <acre/base/checks.hpp>
#include <acre/container/phase_record.hpp>
#include <acre/runtime/world.hpp>

#include <atomic>
#include <cstdint>
#include <vector>

namespace acre::container {

/// Thread-safe. Written by threads of this rank: relaxed, as a lost entry only costs a message.
class noted_members {
 public:
  explicit noted_members(rank_t members) : entries_(base::has_checks ? members : 0) {}

  /// True if recording the entry again would change nothing at the member.
  [[nodiscard]] bool has(rank_t member, phase_entry now) const noexcept {
    if (now.bits() == 0) return true;
    if (entries_.empty()) return false;
    const phase_entry before(entries_[member].load(std::memory_order_relaxed));
    return before.phase() == now.phase() && before.with(now).bits() == before.bits();
  }
  void add(rank_t member, phase_entry now) noexcept {
    if (entries_.empty() || now.bits() == 0) return;
    const phase_entry before(entries_[member].load(std::memory_order_relaxed));
    const bool is_same_phase = before.bits() != 0 && before.phase() == now.phase();
    entries_[member].store(is_same_phase ? before.with(now).bits() : now.bits(),
                           std::memory_order_relaxed);
  }

 private:
  using entry = std::atomic<std::uint64_t>;

  std::vector<entry> entries_;
};

}  // namespace acre::container
