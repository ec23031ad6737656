// SPDX-License-Identifier: BSD-3-Clause
// The two ends of a queue in shared memory: how many values were ever pushed and
// popped, and how a rank reserves places at either end.
//
// Both numbers count modulo 2^64 and are also places: value number n goes to slot
// n mod slots, where the slots are a power of two, so that nothing special happens
// when the numbers wrap. Between them are never more than `capacity`, whatever that is.
//
// Who writes what: `pushed` any rank of the host's node that pushes, and for the
// others the host, by compare-and-swap from the value to which it found room; so
// no two reserve one place, and no push exceeds the capacity. `popped` in the same
// way by those who pop. `popped_seen` and `pushed_seen` are memories of the other
// end, beside the end that needs them, so that a push need not touch the line of the
// pops and the reverse: any rank stores what it has just read there. An old value
// only makes the queue look fuller (or emptier) than it is, and then the other end
// itself is looked at.
//
// The answers "no room" and "nothing there" are exact: there was such a moment
// during the call. An end is read first and the other one after it; both only
// grow; so when the second read shows no room, that was so when it was made.
// All of these accesses are sequentially consistent, which orders them with those
// of other queues too.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/spin_lock.hpp>

#include <atomic>
#include <bit>
#include <cstdint>

namespace acre {

/// How many values were ever pushed and popped, modulo 2^64.
struct queue_totals {
  std::uint64_t pushed = 0;
  std::uint64_t popped = 0;

  [[nodiscard]] std::uint64_t size() const noexcept { return pushed - popped; }
  friend bool operator==(const queue_totals&, const queue_totals&) = default;
};

}  // namespace acre

namespace acre::container {

/// Whether a span is taken as a whole or not at all, or as much of it as there is room for.
enum class portion : std::uint8_t { all, some };

/// Consecutive places of a queue.
struct queue_places {
  std::uint64_t first;
  std::uint64_t count;  ///< 0: none were to be had
};

/// A power of two.
[[nodiscard]] constexpr std::uint64_t queue_slots(std::uint64_t capacity) noexcept {
  return std::bit_ceil(capacity);
}

/// What no memory holds; larger ones would not fit the arithmetic either.
inline constexpr std::uint64_t most_queue_capacity = std::uint64_t{1} << 60;

class queue_ends {
 public:
  /// Before anybody else uses it.
  void start(queue_totals totals) noexcept {
    pushed_.store(totals.pushed, std::memory_order_relaxed);
    popped_.store(totals.popped, std::memory_order_relaxed);
    popped_seen_.store(totals.popped, std::memory_order_relaxed);
    pushed_seen_.store(totals.pushed, std::memory_order_relaxed);
  }

  /// Places for `wanted` values to be pushed, or for some of them. A; and one more when
  /// there seemed to be no room.
  /// @param atomics counts the atomic operations
  [[nodiscard]] queue_places reserve_push(std::uint64_t wanted, portion how, std::uint64_t capacity,
                                          std::uint64_t& atomics) noexcept {
    return reserve({pushed_, popped_seen_, popped_, capacity}, wanted, how, capacity, atomics);
  }
  /// The places of `wanted` values to be popped, or of some of them. A; and one more
  /// when there seemed to be none.
  [[nodiscard]] queue_places reserve_pop(std::uint64_t wanted, portion how, std::uint64_t capacity,
                                         std::uint64_t& atomics) noexcept {
    return reserve({popped_, pushed_seen_, pushed_, 0}, wanted, how, capacity, atomics);
  }

  /// The same while nobody else uses the queue. l.
  [[nodiscard]] queue_places take_push(std::uint64_t wanted, portion how,
                                       std::uint64_t capacity) noexcept {
    return take({pushed_, popped_seen_, popped_, capacity}, wanted, how);
  }
  [[nodiscard]] queue_places take_pop(std::uint64_t wanted, portion how) noexcept {
    return take({popped_, pushed_seen_, pushed_, 0}, wanted, how);
  }

  /// Both numbers at one moment of the call. 3 A at least.
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

  /// The place of the oldest value, and the one after the newest: the oldest first.
  [[nodiscard]] std::uint64_t popped() const noexcept {
    return popped_.load(std::memory_order_seq_cst);
  }
  [[nodiscard]] std::uint64_t pushed() const noexcept {
    return pushed_.load(std::memory_order_seq_cst);
  }

  /// Drops all values. While nobody else uses the queue.
  void drop() noexcept { start({.pushed = pushed(), .popped = pushed()}); }

 private:
  using number = std::atomic<std::uint64_t>;

  /// One end as it looks to who reserves there: up to `other + ahead` it may go.
  struct end {
    number& mine;
    number& other_seen;
    number& other;
    std::uint64_t ahead;
  };

  /// Inlined also where a compiler takes its caller for cold, as main() is: the struct, the portion
  /// and mostly the number wanted are known there, and nearly nothing is left.
  [[gnu::always_inline]] static queue_places reserve(end at, std::uint64_t wanted, portion how,
                                                     std::uint64_t capacity,
                                                     std::uint64_t& atomics) noexcept {
    std::uint64_t first = at.mine.load(std::memory_order_seq_cst);
    for (;;) {
      std::uint64_t available = at.other_seen.load(std::memory_order_relaxed) + at.ahead - first;
      // More than the capacity: one of the two is so old that they do not go together.
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
      // Another one was first, and has the line: it may reserve some more places with it. Those who
      // take the line from each other for each place all wait for it most of their time.
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
