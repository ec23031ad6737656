// SPDX-License-Identifier: BSD-3-Clause
// Stored forms of a deque in a ring that doubles when full. The holder of `lock` writes; others
// read only `size`. Allocations precede changes.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/container/detail/lock_held.hpp>
#include <acre/container/queue/detail/queue_records.hpp>
#include <acre/global/memory/direct_access.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/world.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace acre::container {

enum class deque_end : std::uint8_t { front, back };

/// Zeroed memory is an empty deque.
struct deque_head {
  alignas(64) spin_lock lock;
  alignas(64) std::atomic<std::uint64_t> size;
  std::uint64_t first;     ///< place of the front; place n is in slot n mod capacity
  std::uint64_t capacity;  ///< 0 or a power of two
  std::uint64_t block;     ///< global pointer, or 0
};

template <class T>
class deque_part {
 public:
  using value_type = T;
  using stored = stored_t<T>;

  explicit deque_part(std::byte* memory) noexcept : memory_(memory) {}

  /// @throws acre::error if outside the segment
  static deque_part requested(std::span<const fabric::word> words) {
    return deque_part(at_owner::block_here(words[0], sizeof(deque_head)));
  }

  [[nodiscard]] explicit operator bool() const noexcept { return memory_ != nullptr; }
  /// As of the last change.
  [[nodiscard]] std::uint64_t size() const noexcept {
    return head().size.load(std::memory_order_acquire);
  }

  /// Adds forms in their order, also at the front.
  /// @throws acre::error, without effect, if this rank's memory is full
  void push(deque_end end, const std::byte* forms, std::uint64_t count) const {
    const lock_held lock(head().lock);
    const std::uint64_t before = size();
    make_room(before + count);
    if (end == deque_end::front) head().first -= count;
    const std::uint64_t to = end == deque_end::front ? head().first : head().first + before;
    for (std::uint64_t i = 0; i < count; ++i) {
      std::memcpy(slot(to + i), forms + i * sizeof(stored), sizeof(stored));
    }
    set_size(before + count);
  }

  /// Removes at most `most` values, in the order of single calls. Copies their forms to
  /// room(count, bytes), whose exceptions precede the change; it is not called if the deque is
  /// empty.
  /// @param room  receives the bytes of all records of separate values, else of all forms
  template <class Room>
  std::uint64_t pop(deque_end end, std::uint64_t most, Room&& room) const {
    const lock_held lock(head().lock);
    const std::uint64_t before = size();
    const std::uint64_t count = smaller(before, most);
    if (count == 0) return 0;
    const auto place = [&](std::uint64_t i) {
      return end == deque_end::front ? head().first + i : head().first + before - 1 - i;
    };
    std::uint64_t bytes = count * sizeof(stored);
    if constexpr (is_separate<T>) {
      bytes = 0;
      for (std::uint64_t i = 0; i < count; ++i) bytes += record_bytes(form_at(place(i)).bytes);
    }
    std::byte* const to = room(count, bytes);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::memcpy(to + i * sizeof(stored), slot(place(i)), sizeof(stored));
    }
    if (end == deque_end::front) head().first += count;
    set_size(before - count);
    return count;
  }

  /// Calls use(form) for the value at an end, under the lock. @return false if empty
  template <class Use>
  bool peek(deque_end end, Use&& use) const {
    const lock_held lock(head().lock);
    if (size() == 0) return false;
    use(form_at(end == deque_end::front ? head().first : head().first + size() - 1));
    return true;
  }

  /// Calls use(form) for all values from the front, without concurrent use.
  template <class Use>
  void for_each(Use&& use) const {
    for (std::uint64_t i = 0; i < size(); ++i) use(form_at(head().first + i));
  }

  /// Without concurrent use.
  void release_all() const noexcept {
    for_each([](const stored& form) { stored_form<T>::release(form); });
    set_size(0);
    if (head().block != 0) runtime::free_private_of(std::exchange(head().block, 0));
    head().capacity = 0;
  }

 private:
  static constexpr std::uint64_t first_capacity = 64;

  [[nodiscard]] deque_head& head() const noexcept {
    return *reinterpret_cast<deque_head*>(memory_);
  }
  [[nodiscard]] std::byte* slot(std::uint64_t place) const noexcept {
    return runtime::direct_address(head().block) + (place & (head().capacity - 1)) * sizeof(stored);
  }
  [[nodiscard]] stored form_at(std::uint64_t place) const noexcept {
    return global::load_bytes<stored>(slot(place));
  }
  void set_size(std::uint64_t size) const noexcept {
    head().size.store(size, std::memory_order_release);
  }

  void make_room(std::uint64_t values) const {
    deque_head& here = head();
    if (values <= here.capacity) return;
    const std::uint64_t capacity = std::bit_ceil(larger(first_capacity, values));
    auto* const block = static_cast<std::byte*>(runtime::allocate_private(
        capacity * sizeof(stored), larger<std::size_t>(64, alignof(stored))));
    const std::uint64_t held = size();
    for (std::uint64_t i = 0; i < held; ++i) {
      std::memcpy(block + i * sizeof(stored), slot(here.first + i), sizeof(stored));
    }
    const std::uint64_t before = std::exchange(here.block, runtime::global_bits(block));
    here.capacity = capacity;
    here.first = 0;
    if (before != 0) runtime::free_private_of(before);
  }

  std::byte* memory_;
};

}  // namespace acre::container
