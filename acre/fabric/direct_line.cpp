// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/direct_line.hpp>

namespace acre::fabric {

bool direct_line::counted_apart::is_quiet() const noexcept {
  // In this order: operations that begin or fail in between count as under way.
  const std::uint64_t all_noticed = noticed.load(std::memory_order_acquire);
  const std::uint64_t all_refused = refused.load(std::memory_order_acquire);
  return all_noticed + all_refused == begun.load(std::memory_order_acquire);
}

std::uint64_t direct_line::notice(counted_apart& kind) {
  if (kind.is_quiet()) return 0;
  const std::uint64_t now = kind.read(kind.counter);
  // Providers may read their counter without an order.
  std::atomic_thread_fence(std::memory_order_acquire);
  return notice(kind, now);
}

std::uint64_t direct_line::notice(counted_apart& kind, std::uint64_t now) noexcept {
  std::uint64_t before = kind.noticed.load(std::memory_order_acquire);
  while (before < now) {
    if (kind.noticed.compare_exchange_weak(before, now, std::memory_order_acq_rel)) {
      // Release: a thread that sees the result has the operations' data.
      issued.fetch_sub(now - before, std::memory_order_acq_rel);
      return now - before;
    }
  }
  return 0;
}

bool direct_line::has_issued_only(std::uint64_t number) const noexcept {
  struct snapshot {
    std::uint64_t noticed;
    std::uint64_t refused;
    std::uint64_t begun;
    bool operator==(const snapshot&) const = default;
  };
  const auto look = [this] {
    return snapshot{gets.noticed.load(std::memory_order_acquire),
                    gets.refused.load(std::memory_order_acquire),
                    gets.begun.load(std::memory_order_acquire)};
  };
  const snapshot before = look();
  const std::uint64_t all = issued.load(std::memory_order_acquire);
  // The numbers never fall: equal ones were so when `issued` was read.
  if (look() != before) return false;
  return all - (before.begun - before.refused - before.noticed) == number;
}

}  // namespace acre::fabric
