// SPDX-License-Identifier: BSD-3-Clause
// Ring of bare values: as pushes and pops are in different phases, slots need no state.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/queue/detail/queue_head.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace acre::container {

/// Moves byte `first` to the front, and those before it to the end.
void rotate_ring(std::span<std::byte> ring, std::size_t first) noexcept;

template <class V>
struct bare_slot {
  static constexpr bool keeps_place = false;

  alignas(V) std::byte value[sizeof(V)];
};

template <class V>
class fast_ring : public ring_memory<bare_slot<V>> {
  using memory = ring_memory<bare_slot<V>>;

 public:
  static constexpr queue_calls calls{.name = "fast_queue",
                                     .push = "fast_queue::push",
                                     .pop = "fast_queue::pop",
                                     .totals = "fast_queue::totals",
                                     .for_each_local = "fast_queue::for_each_local",
                                     .settled = "fast_queue::settled",
                                     .local = "fast_queue::local",
                                     .ending = "the destructor of the fast_queue made",
                                     .resize = "fast_queue::resize",
                                     .migrate = "fast_queue::migrate"};

  using memory::at;

  fast_ring(std::byte* block, std::uint64_t capacity) noexcept : memory(block, capacity) {}

  void fill(queue_places places, const std::byte* values) const noexcept {
    const std::uint64_t first = before_wrap(places);
    std::memcpy(at(places.first), values, first * sizeof(V));
    if (places.count != first) {
      std::memcpy(begin(), values + first * sizeof(V), (places.count - first) * sizeof(V));
    }
  }
  void empty(queue_places places, std::byte* values) const noexcept {
    const std::uint64_t first = before_wrap(places);
    std::memcpy(values, at(places.first), first * sizeof(V));
    if (places.count != first) {
      std::memcpy(values + first * sizeof(V), begin(), (places.count - first) * sizeof(V));
    }
  }

  /// Moves the values to adjacent slots if they wrap around. On the host, without concurrent use.
  /// @return the first
  std::byte* make_contiguous() const noexcept {
    const queue_places all{.first = this->ends().popped(),
                           .count = this->ends().pushed() - this->ends().popped()};
    const std::uint64_t before = before_wrap(all);
    if (before == all.count) return at(all.first);
    const std::uint64_t start = this->index_of(all.first);
    std::byte* const ring = begin();
    const std::size_t bytes = before * sizeof(V);
    if (all.count <= start) {
      std::memmove(ring + bytes, ring, (all.count - before) * sizeof(V));
      std::memcpy(ring, ring + start * sizeof(V), bytes);
    } else {
      rotate_ring({ring, this->slots() * sizeof(V)}, start * sizeof(V));
    }
    this->set_origin(all.first);
    return ring;
  }

 private:
  [[nodiscard]] std::byte* begin() const noexcept { return this->first_slot()->value; }
  [[nodiscard]] std::uint64_t before_wrap(queue_places places) const noexcept {
    if (places.count <= 1) return places.count;
    return smaller(places.count, this->slots() - this->index_of(places.first));
  }
};

}  // namespace acre::container
