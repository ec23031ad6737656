// SPDX-License-Identifier: BSD-3-Clause
// The two ends of a queue in shared memory: totals of pushed and popped values, modulo 2^64. Value
// n is in slot n mod slots, a power of two, so wrap-around is harmless.
//
// Writers of `pushed` are pushing ranks of the host's node, and the host for other nodes. A
// compare-and-swap from the value for which space was found makes places unique. `popped` is
// advanced by pops in the same way. `popped_seen` and `pushed_seen` are copies that spare the other
// end's cache line; any rank stores the value it has read. If a stale copy makes the queue look
// full or empty, the end itself is read.
//
// "Full" and "empty" are exact: a rank reads its own end first, then the other one, and both only
// grow. These accesses are sequentially consistent, also across queues, except in claim_push() and
// claim_pop().
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/spin_lock.hpp>

#include <atomic>
#include <bit>
#include <cstdint>

namespace acre {

/// Numbers of values ever pushed and popped, modulo 2^64.
struct queue_totals {
  std::uint64_t pushed = 0;
  std::uint64_t popped = 0;

  [[nodiscard]] std::uint64_t size() const noexcept { return pushed - popped; }
  friend bool operator==(const queue_totals&, const queue_totals&) = default;
};

}  // namespace acre

namespace acre::container {

enum class portion : std::uint8_t { all, some };

struct queue_places {
  std::uint64_t first;
  std::uint64_t count;
};

[[nodiscard]] constexpr std::uint64_t queue_slots(std::uint64_t capacity) noexcept {
  return std::bit_ceil(capacity);
}

inline constexpr std::uint64_t most_queue_capacity = std::uint64_t{1} << 60;

class queue_ends {
 public:
  void start(queue_totals totals) noexcept {
    pushed_.store(totals.pushed, std::memory_order_relaxed);
    popped_.store(totals.popped, std::memory_order_relaxed);
    popped_seen_.store(totals.popped, std::memory_order_relaxed);
    pushed_seen_.store(totals.pushed, std::memory_order_relaxed);
  }

  /// Cost: A; one more if the queue seems full or empty.
  /// @param atomics  increased by the atomic operations
  [[nodiscard]] queue_places reserve_push(std::uint64_t wanted, portion how, std::uint64_t capacity,
                                          std::uint64_t& atomics) noexcept {
    return reserve({pushed_, popped_seen_, popped_, capacity}, wanted, how, capacity, atomics);
  }
  [[nodiscard]] queue_places reserve_pop(std::uint64_t wanted, portion how, std::uint64_t capacity,
                                         std::uint64_t& atomics) noexcept {
    return reserve({popped_, pushed_seen_, pushed_, 0}, wanted, how, capacity, atomics);
  }

  /// Without concurrent use. l.
  [[nodiscard]] queue_places claim_push(std::uint64_t wanted, portion how,
                                        std::uint64_t capacity) noexcept {
    return take({pushed_, popped_seen_, popped_, capacity}, wanted, how);
  }
  [[nodiscard]] queue_places claim_pop(std::uint64_t wanted, portion how) noexcept {
    return take({popped_, pushed_seen_, pushed_, 0}, wanted, how);
  }

  /// Both totals at one moment of the call. Cost: at least 3 A.
  [[nodiscard]] queue_totals totals(std::uint64_t& atomics) const noexcept {
    std::uint64_t popped = popped_.load(std::memory_order_seq_cst);
    ++atomics;
    for (;;) {
      const std::uint64_t pushed = pushed_.load(std::memory_order_seq_cst);
      const std::uint64_t popped_after = popped_.load(std::memory_order_seq_cst);
      atomics += 2;
      if (popped == popped_after) return {.pushed = pushed, .popped = popped};
      popped = popped_after;
    }
  }

  [[nodiscard]] std::uint64_t popped() const noexcept {
    return popped_.load(std::memory_order_seq_cst);
  }
  [[nodiscard]] std::uint64_t pushed() const noexcept {
    return pushed_.load(std::memory_order_seq_cst);
  }

  void drop() noexcept { start({.pushed = pushed(), .popped = pushed()}); }

 private:
  using number = std::atomic<std::uint64_t>;

  /// An end, which may advance to `other + ahead`.
  struct end {
    number& mine;
    number& other_seen;
    number& other;
    std::uint64_t ahead;
  };

  /// Inlined also into callers considered cold, as main(): constant arguments fold most code away.
  [[gnu::always_inline]] static queue_places reserve(end at, std::uint64_t wanted, portion how,
                                                     std::uint64_t capacity,
                                                     std::uint64_t& atomics) noexcept {
    std::uint64_t first = at.mine.load(std::memory_order_seq_cst);
    for (;;) {
      std::uint64_t available = at.other_seen.load(std::memory_order_relaxed) + at.ahead - first;
      // More than the capacity: one of the two is stale.
      if (available < wanted || available > capacity) {
        const std::uint64_t other = at.other.load(std::memory_order_seq_cst);
        ++atomics;
        at.other_seen.store(other, std::memory_order_relaxed);
        available = other + at.ahead - first;
        if (available > capacity) {
          first = at.mine.load(std::memory_order_seq_cst);
          continue;
        }
        if (available == 0 || (available < wanted && how == portion::all)) return {first, 0};
      }
      const std::uint64_t count = smaller(wanted, available);
      ++atomics;
      if (at.mine.compare_exchange_weak(first, first + count, std::memory_order_seq_cst)) {
        return {first, count};
      }
      // The winner owns the cache line and may reserve more places. Without back-off most time is
      // spent waiting for it.
      for (int pauses = 0; pauses < 8; ++pauses) spin_pause();
      first = at.mine.load(std::memory_order_seq_cst);
    }
  }

  static queue_places take(end at, std::uint64_t wanted, portion how) noexcept {
    const std::uint64_t first = at.mine.load(std::memory_order_relaxed);
    const std::uint64_t available = at.other.load(std::memory_order_relaxed) + at.ahead - first;
    if (available < wanted && how == portion::all) return {first, 0};
    const std::uint64_t count = smaller(wanted, available);
    at.mine.store(first + count, std::memory_order_relaxed);
    return {first, count};
  }

  alignas(64) number pushed_;
  number popped_seen_;
  alignas(64) number popped_;
  number pushed_seen_;
};

}  // namespace acre::container
