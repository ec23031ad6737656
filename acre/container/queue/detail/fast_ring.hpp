// SPDX-License-Identifier: BSD-3-Clause
// Ring of bare values: pushes and pops are in different phases, so slots need no state.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/queue/detail/queue_head.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace acre::container {

template <class V>
struct bare_slot {
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
                                     .ending = "the destructor of the fast_queue made",
                                     .resize = "fast_queue::resize",
                                     .migrate = "fast_queue::migrate"};

  using memory::at;

  fast_ring(std::byte* block, std::uint64_t capacity) noexcept : memory(block, capacity) {}

  void fill(queue_places places, const std::byte* values) const noexcept {
    const std::uint64_t first = before_wrap(places);
    std::memcpy(at(places.first), values, first * sizeof(V));
    if (places.count != first) {
      std::memcpy(at(0), values + first * sizeof(V), (places.count - first) * sizeof(V));
    }
  }
  void empty(queue_places places, std::byte* values) const noexcept {
    const std::uint64_t first = before_wrap(places);
    std::memcpy(values, at(places.first), first * sizeof(V));
    if (places.count != first) {
      std::memcpy(values + first * sizeof(V), at(0), (places.count - first) * sizeof(V));
    }
  }

 private:
  [[nodiscard]] std::uint64_t before_wrap(queue_places places) const noexcept {
    if (places.count <= 1) return places.count;
    return smaller(places.count, this->slots() - (places.first & (this->slots() - 1)));
  }
};

}  // namespace acre::container
