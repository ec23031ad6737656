// The memory of a fast queue: its two ends, and a ring of bare values.
//
// Pushes and pops are in different phases of the program, with a collective
// between them: so a place that was reserved needs no word that says whether its
// value is there. Who writes what: a value the rank that has reserved its place
// for pushing; it is read in later phases only. For the two ends see queue_ends.hpp.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/queue/detail/queue_head.hpp>
#include <acre/global/allocate.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace acre::detail {

template <class V>
class fast_ring {
  static constexpr std::size_t alignment = alignof(V) > 64 ? alignof(V) : 64;
  static constexpr std::size_t head_bytes =
      (sizeof(queue_head) + alignment - 1) / alignment * alignment;

 public:
  static constexpr queue_calls calls{.name = "fast_queue",
                                     .push = "fast_queue::push",
                                     .pop = "fast_queue::pop",
                                     .push_wait = nullptr,
                                     .pop_wait = nullptr,
                                     .peek = nullptr,
                                     .totals = "fast_queue::totals",
                                     .for_each_local = "fast_queue::for_each_local",
                                     .resize = "fast_queue::resize",
                                     .migrate = "fast_queue::migrate"};

  fast_ring(std::byte* block, std::uint64_t capacity) noexcept
      : head_(reinterpret_cast<queue_head*>(block)),
        values_(block + head_bytes),
        capacity_(capacity),
        slots_(queue_slots(capacity)) {}

  static constexpr std::size_t block_alignment = alignment;
  static constexpr std::size_t slot_bytes = sizeof(V);
  static constexpr std::size_t value_offset = 0;
  /// Where in the block a slot lies.
  [[nodiscard]] static constexpr std::size_t slot_offset(std::uint64_t index) noexcept {
    return head_bytes + index * sizeof(V);
  }
  /// More than memory has, if it would be.
  [[nodiscard]] static constexpr std::size_t block_bytes(std::uint64_t capacity) noexcept {
    if (capacity > most_queue_capacity) return bytes_for(capacity, sizeof(V));
    const std::size_t slots = bytes_for(queue_slots(capacity), sizeof(V));
    return slots + head_bytes < slots ? slots : slots + head_bytes;
  }

  void prepare(queue_totals totals) noexcept {
    std::memset(static_cast<void*>(head_), 0, sizeof(queue_head));
    head_->ends.start(totals);
  }

  [[nodiscard]] queue_ends& ends() const noexcept { return head_->ends; }
  [[nodiscard]] phase_record& record() const noexcept { return head_->record; }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }

  /// Writes values to places that were reserved.
  /// @param values  one after the other, at any address
  void fill(queue_places places, const std::byte* values) const noexcept {
    const std::uint64_t first = before_wrap(places);
    std::memcpy(at(places.first), values, first * sizeof(V));
    if (places.count != first) {
      std::memcpy(values_, values + first * sizeof(V), (places.count - first) * sizeof(V));
    }
  }
  void empty(queue_places places, std::byte* values) const noexcept {
    const std::uint64_t first = before_wrap(places);
    std::memcpy(values, at(places.first), first * sizeof(V));
    if (places.count != first) {
      std::memcpy(values + first * sizeof(V), values_, (places.count - first) * sizeof(V));
    }
  }

  // --- while nobody else uses the queue -----------------------------------------------

  void set(std::uint64_t place, const std::byte* value) const noexcept {
    std::memcpy(at(place), value, sizeof(V));
  }
  [[nodiscard]] std::byte* at(std::uint64_t place) const noexcept {
    return values_ + (place & (slots_ - 1)) * sizeof(V);
  }
  void drop() const noexcept { ends().drop(); }

 private:
  [[nodiscard]] std::uint64_t before_wrap(queue_places places) const noexcept {
    if (places.count <= 1) return places.count;  // where one value is asked for: no loop, no call
    return smaller(places.count, slots_ - (places.first & (slots_ - 1)));
  }

  queue_head* head_;
  std::byte* values_;
  std::uint64_t capacity_;
  std::uint64_t slots_;
};

}  // namespace acre::detail
