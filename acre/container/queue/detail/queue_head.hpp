// SPDX-License-Identifier: BSD-3-Clause
// Memory common to all queue rings: a head, then a power of two of slots.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/phase_record.hpp>
#include <acre/container/queue/detail/queue_ends.hpp>
#include <acre/global/team/allocate.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace acre::container {

struct queue_head {
  queue_ends ends;
  alignas(64) phase_record record;
  /// Place in the first slot, modulo slots; 0 in rings whose slots keep their places. Written by
  /// the host in local(), without concurrent use; other ranks read it after a collective.
  std::uint64_t origin;
};

/// Values between two collectives of which no push or pop is in progress.
struct settled_places {
  queue_totals totals;
  std::uint64_t origin = 0;
};

/// Names for errors; null if the call does not exist.
struct queue_calls {
  const char* name;
  const char* push;
  const char* pop;
  const char* push_wait = nullptr;
  const char* pop_wait = nullptr;
  const char* peek = nullptr;
  const char* totals;
  const char* for_each_local;
  const char* settled;
  const char* local;
  const char* ending;
  const char* resize;
  const char* migrate;
};

template <class Slot>
class ring_memory {
 public:
  static constexpr std::size_t block_alignment = alignof(Slot) > 64 ? alignof(Slot) : 64;
  static constexpr std::size_t slot_bytes = sizeof(Slot);
  static constexpr std::size_t value_offset = offsetof(Slot, value);
  [[nodiscard]] static constexpr std::size_t slot_offset(std::uint64_t index) noexcept {
    return head_bytes + index * sizeof(Slot);
  }
  /// On overflow, more than any memory.
  [[nodiscard]] static constexpr std::size_t block_bytes(std::uint64_t capacity) noexcept {
    if (capacity > most_queue_capacity) return base::bytes_for(capacity, sizeof(Slot));
    const std::size_t slots = base::bytes_for(queue_slots(capacity), sizeof(Slot));
    return slots + head_bytes < slots ? slots : slots + head_bytes;
  }

  [[nodiscard]] queue_ends& ends() const noexcept { return head_->ends; }
  [[nodiscard]] phase_record& record() const noexcept { return head_->record; }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }

  [[nodiscard]] settled_places settled() const noexcept {
    return settled_in(reinterpret_cast<const std::byte*>(head_));
  }
  /// @param head  a head or its copy, aligned
  [[nodiscard]] static settled_places settled_in(const std::byte* head) noexcept {
    const auto& of = *reinterpret_cast<const queue_head*>(head);
    return {.totals = {.pushed = of.ends.pushed(), .popped = of.ends.popped()},
            .origin = of.origin};
  }
  [[nodiscard]] std::uint64_t slots() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t index_of(std::uint64_t place) const noexcept {
    if constexpr (!Slot::keeps_place) place -= head_->origin;
    return place & (count_ - 1);
  }

  void prepare(queue_totals totals) const noexcept {
    std::memset(static_cast<void*>(head_), 0, sizeof(queue_head));
    head_->ends.start(totals);
  }
  void drop() const noexcept { head_->ends.drop(); }
  void set(std::uint64_t place, const std::byte* value) const noexcept {
    std::memcpy(at(place), value, sizeof(Slot::value));
  }
  [[nodiscard]] std::byte* at(std::uint64_t place) const noexcept { return slot_of(place).value; }

 protected:
  ring_memory(std::byte* block, std::uint64_t capacity) noexcept
      : head_(reinterpret_cast<queue_head*>(block)),
        slots_(reinterpret_cast<Slot*>(block + head_bytes)),
        capacity_(capacity),
        count_(queue_slots(capacity)) {}

  [[nodiscard]] Slot& slot_of(std::uint64_t place) const noexcept {
    return slots_[index_of(place)];
  }
  [[nodiscard]] Slot* first_slot() const noexcept { return slots_; }
  void set_origin(std::uint64_t place) const noexcept { head_->origin = place; }

 private:
  static constexpr std::size_t head_bytes = round_up(sizeof(queue_head), block_alignment);

  queue_head* head_;
  Slot* slots_;
  std::uint64_t capacity_;
  std::uint64_t count_;
};

}  // namespace acre::container
