// SPDX-License-Identifier: BSD-3-Clause
// The memory of a circular queue: its two ends, and a ring of slots of a turn and a
// value, read and written by the threads of all ranks of the host's node at once.
//
// A push reserves places at its end, by one compare-and-swap, writes each value
// into its slot and publishes it by the slot's turn; a pop reserves places at the
// other end, copies each value as soon as its turn says that it is there, and gives the
// slot back by the turn of the next lap. So a rank that is off its core between
// reserving and completing keeps nobody else from pushing or popping, but those
// who come to its very places: these wait, first spinning, then yielding, then
// sleeping. They hold a reservation then, so they run nobody's code meanwhile:
// no wait here needs more than that the one waited for gets its core back. (A push
// to place n waits for the pop of n - slots only, that one for the push of
// n - slots: never in a circle.)
//
// Who writes what: a value and the turn "it is there" the one who reserved that
// place for pushing, after its turn said "free" (acquire); the turn "free" of the
// next lap the one who reserved it for popping, after copying (release). Both are
// plain stores with release: between the two ends there is one such rank a place.
// Turns count laps in 31 bits; that they repeat harms nothing, for a rank waits only
// for the turn next to the one before it.
#pragma once

#include <acre/container/queue/detail/queue_head.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace acre::container {

/// One step of a wait without progress: spins, then yields, then sleeps.
void wait_briefly(unsigned tries) noexcept;
/// Waits in this way until `turn` is `expected`. Cold.
void await_turn(const std::atomic<std::uint32_t>& turn, std::uint32_t expected) noexcept;

template <class V>
struct queue_slot {
  std::atomic<std::uint32_t> turn;
  alignas(V) std::byte value[sizeof(V)];
};

template <class V>
class queue_ring : public ring_memory<queue_slot<V>> {
  using slot = queue_slot<V>;
  using memory = ring_memory<slot>;
  using memory::slot_of;
  using memory::slots;

 public:
  static constexpr queue_calls calls{.name = "circular_queue",
                                     .push = "circular_queue::push",
                                     .pop = "circular_queue::pop",
                                     .push_wait = "circular_queue::push_wait",
                                     .pop_wait = "circular_queue::pop_wait",
                                     .peek = "circular_queue::peek",
                                     .totals = "circular_queue::totals",
                                     .for_each_local = "circular_queue::for_each_local",
                                     .ending = "the destructor of the circular_queue made",
                                     .resize = "circular_queue::resize",
                                     .migrate = "circular_queue::migrate"};

  using memory::ends;

  queue_ring(std::byte* block, std::uint64_t capacity) noexcept
      : memory(block, capacity), lap_shift_(static_cast<unsigned>(std::countr_zero(slots()))) {}

  /// A queue that had these numbers of values pushed and popped: those between them
  /// are still to be written, by set().
  void prepare(queue_totals totals) noexcept {
    memory::prepare(totals);
    for (std::uint64_t i = 0; i < slots(); ++i) {
      const std::uint64_t place = totals.popped + i;
      slot_of(place).turn.store(i < totals.size() ? there(place) : free(place),
                                std::memory_order_relaxed);
    }
  }

  // --- by anyone at once ------------------------------------------------------------

  /// Writes values to places that were reserved.
  /// @param values  one after the other, at any address
  void fill(queue_places places, const std::byte* values) const noexcept {
    for (std::uint64_t i = 0; i < places.count; ++i) {
      slot& to = slot_of(places.first + i);
      await(to, free(places.first + i));
      std::memcpy(to.value, values + i * sizeof(V), sizeof(V));
      to.turn.store(there(places.first + i), std::memory_order_release);
    }
  }
  /// Copies the values of places that were reserved, and gives the places back.
  void empty(queue_places places, std::byte* values) const noexcept {
    for (std::uint64_t i = 0; i < places.count; ++i) {
      slot& from = slot_of(places.first + i);
      await(from, there(places.first + i));
      std::memcpy(values + i * sizeof(V), from.value, sizeof(V));
      from.turn.store(free(places.first + i + slots()), std::memory_order_release);
    }
  }

  /// Copies the oldest value, if there is one.
  [[nodiscard]] bool peek(std::byte* value, std::uint64_t& atomics) const noexcept {
    for (unsigned tries = 0;; ++tries) {
      const std::uint64_t place = ends().popped();
      ++atomics;
      const slot& from = slot_of(place);
      if (from.turn.load(std::memory_order_acquire) == there(place)) {
        std::memcpy(value, from.value, sizeof(V));
        std::atomic_thread_fence(std::memory_order_acquire);
      } else if (ends().pushed() == place) {
        return false;
      } else {
        wait_briefly(tries);  // for whoever pushes it, or has popped it
        continue;
      }
      // While nobody has reserved the place for popping, nobody writes to it.
      ++atomics;
      if (ends().popped() == place) return true;
    }
  }

  /// Marks all places free, while nobody else uses the queue.
  void drop() const noexcept {
    const queue_totals totals{.pushed = ends().pushed(), .popped = ends().popped()};
    for (std::uint64_t i = 0; i < totals.size(); ++i) {
      slot_of(totals.popped + i)
          .turn.store(free(totals.popped + i + slots()), std::memory_order_relaxed);
    }
    memory::drop();
  }

 private:
  /// The turns of a slot, one after the other: free in lap 0, there in lap 0, free in lap 1 …
  [[nodiscard]] std::uint32_t free(std::uint64_t place) const noexcept {
    return static_cast<std::uint32_t>(place >> lap_shift_) << 1;
  }
  [[nodiscard]] std::uint32_t there(std::uint64_t place) const noexcept { return free(place) | 1; }

  static void await(const slot& at, std::uint32_t expected) noexcept {
    if (at.turn.load(std::memory_order_acquire) != expected) [[unlikely]] {
      await_turn(at.turn, expected);
    }
  }

  unsigned lap_shift_;
};

}  // namespace acre::container
