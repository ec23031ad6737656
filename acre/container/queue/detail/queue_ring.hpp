// SPDX-License-Identifier: BSD-3-Clause
// Ring of a circular queue: slots of a turn and a value.
//
// A push reserves places, writes the values and publishes each by its turn. A pop reserves places,
// copies each value after its turn is set, and frees the slot by the turn of the next lap. A
// descheduled rank delays only users of the same slots, which wait without progress, as they hold
// reservations. No deadlock: push n waits for pop n - slots, and that for push n - slots.
//
// Writers: the reserving pusher, after "free" (acquire), then the reserving popper. Turns are plain
// release stores, as each place has one pusher and one popper. They count laps in 31 bits;
// wrap-around is harmless, as a rank waits only for the next turn.
#pragma once

#include <acre/container/queue/detail/queue_head.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace acre::container {

/// Waits without progress: spins, then yields, then sleeps.
void wait_briefly(unsigned tries) noexcept;
void await_turn(const std::atomic<std::uint32_t>& turn, std::uint32_t expected) noexcept;

template <class V>
struct queue_slot {
  /// The turn is of a place in this slot.
  static constexpr bool keeps_place = true;

  std::atomic<std::uint32_t> turn;
  alignas(V) std::byte value[sizeof(V)];
};

template <class V>
class queue_ring : public ring_memory<queue_slot<V>> {
  using slot = queue_slot<V>;
  using memory = ring_memory<slot>;
  using memory::slot_of;

 public:
  static constexpr queue_calls calls{.name = "circular_queue",
                                     .push = "circular_queue::push",
                                     .pop = "circular_queue::pop",
                                     .push_wait = "circular_queue::push_wait",
                                     .pop_wait = "circular_queue::pop_wait",
                                     .peek = "circular_queue::peek",
                                     .totals = "circular_queue::totals",
                                     .for_each_local = "circular_queue::for_each_local",
                                     .settled = "circular_queue::settled",
                                     .local = "circular_queue::local",
                                     .ending = "the destructor of the circular_queue made",
                                     .resize = "circular_queue::resize",
                                     .migrate = "circular_queue::migrate"};

  using memory::ends;
  using memory::slots;

  queue_ring(std::byte* block, std::uint64_t capacity) noexcept
      : memory(block, capacity), lap_shift_(static_cast<unsigned>(std::countr_zero(slots()))) {}

  /// set() then writes the values between the totals.
  void prepare(queue_totals totals) noexcept {
    memory::prepare(totals);
    for (std::uint64_t i = 0; i < slots(); ++i) {
      const std::uint64_t place = totals.popped + i;
      slot_of(place).turn.store(i < totals.size() ? there(place) : free(place),
                                std::memory_order_relaxed);
    }
  }

  /// @param values  contiguous, at any alignment
  void fill(queue_places places, const std::byte* values) const noexcept {
    for (std::uint64_t i = 0; i < places.count; ++i) {
      slot& to = slot_of(places.first + i);
      await(to, free(places.first + i));
      // A peek that sees bytes of this value also sees the pop before it.
      std::atomic_thread_fence(std::memory_order_release);
      std::memcpy(to.value, values + i * sizeof(V), sizeof(V));
      to.turn.store(there(places.first + i), std::memory_order_release);
    }
  }
  void empty(queue_places places, std::byte* values) const noexcept {
    for (std::uint64_t i = 0; i < places.count; ++i) {
      slot& from = slot_of(places.first + i);
      await(from, there(places.first + i));
      std::memcpy(values + i * sizeof(V), from.value, sizeof(V));
      from.turn.store(free(places.first + i + slots()), std::memory_order_release);
    }
  }

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
        wait_briefly(tries);
        continue;
      }
      // The value was stable if its place is still unreserved for popping.
      ++atomics;
      if (ends().popped() == place) return true;
    }
  }

  void drop() const noexcept {
    const queue_totals totals{.pushed = ends().pushed(), .popped = ends().popped()};
    for (std::uint64_t i = 0; i < totals.size(); ++i) {
      slot_of(totals.popped + i)
          .turn.store(free(totals.popped + i + slots()), std::memory_order_relaxed);
    }
    memory::drop();
  }

 private:
  /// Turns of a slot: free in lap 0, there in lap 0, free in lap 1 …
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
