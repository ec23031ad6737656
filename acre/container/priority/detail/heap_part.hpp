// SPDX-License-Identifier: BSD-3-Clause
// One member's heap of stored forms. The holder of `lock` writes; others read only `size`.
// Comparisons and allocations precede changes.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/container/detail/lock_held.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/world.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acre::container {

/// Zeroed memory is an empty part.
struct heap_head {
  alignas(64) spin_lock lock;
  alignas(64) std::atomic<std::uint64_t> size;
  std::uint64_t capacity;
  std::uint64_t block;  ///< global pointer, or 0
};

template <class T, class Compare>
class heap_part {
 public:
  using value_type = T;
  using stored = stored_t<T>;

  explicit heap_part(std::byte* memory) noexcept : memory_(memory) {}

  /// @throws acre::error if outside the segment
  static heap_part requested(std::span<const fabric::word> words) {
    return heap_part(at_owner::block_here(words[0], sizeof(heap_head)));
  }

  [[nodiscard]] explicit operator bool() const noexcept { return memory_ != nullptr; }
  [[nodiscard]] std::uint64_t size() const noexcept {
    return head().size.load(std::memory_order_relaxed);
  }

  /// @throws acre::error if this rank's memory is full
  void push(const T& value) const {
    stored_value<T> form(value);
    const lock_held lock(head().lock);
    const std::uint64_t last = size();
    make_room(last + 1);
    std::array<std::uint64_t, most_levels> path;
    std::size_t length = 0;
    std::uint64_t at = last;
    while (at != 0 && Compare{}(value, value_at((at - 1) / 2))) {
      path[length++] = at;
      at = (at - 1) / 2;
    }
    for (std::size_t i = 0; i < length; ++i) set(path[i], form_at((path[i] - 1) / 2));
    set(at, form.give_away());
    set_size(last + 1);
  }

  [[nodiscard]] std::optional<T> pop(const T* bound) const {
    const lock_held lock(head().lock);
    std::optional<T> least = least_before(bound);
    if (least) remove_least(plan_removal());
    return least;
  }

  /// @param bound  exceeds the value, or null
  [[nodiscard]] std::optional<T> peek(const T* bound) const {
    const lock_held lock(head().lock);
    return least_before(bound);
  }

  /// Removes at most `most` of the least values below the bound, and half of all, rounded up. Calls
  /// take(value), which may move, before each removal; false keeps the value, and stops, as does an
  /// exception after the first removal.
  template <class Take>
  void take_half(std::size_t most, const T* bound, Take&& take) const {
    const lock_held lock(head().lock);
    const std::uint64_t wanted = smaller<std::uint64_t>(divide_up(size(), std::uint64_t{2}), most);
    for (std::uint64_t i = 0; i < wanted; ++i) {
      try {
        if (!take_one(bound, take)) return;
      } catch (...) {
        if (i == 0) throw;
        return;
      }
    }
  }

  template <class F>
  void for_each(F&& f) const {
    const lock_held lock(head().lock);
    for (std::uint64_t i = 0; i < size(); ++i) f(value_at(i));
  }

  /// No other rank may use the part.
  void release_all() const noexcept {
    for (std::uint64_t i = 0; i < size(); ++i) stored_form<T>::release(form_at(i));
    set_size(0);
    if (head().block != 0) runtime::free_private_of(std::exchange(head().block, 0));
    head().capacity = 0;
  }

 private:
  static constexpr std::size_t most_levels = 64;
  static constexpr std::uint64_t first_capacity = 64;

  [[nodiscard]] heap_head& head() const noexcept { return *reinterpret_cast<heap_head*>(memory_); }
  [[nodiscard]] stored* forms() const noexcept {
    return std::launder(reinterpret_cast<stored*>(runtime::direct_address(head().block)));
  }
  [[nodiscard]] const stored& form_at(std::uint64_t at) const noexcept { return forms()[at]; }
  void set(std::uint64_t at, const stored& form) const noexcept {
    std::memcpy(static_cast<void*>(forms() + at), &form, sizeof(form));
  }
  void set_size(std::uint64_t size) const noexcept {
    head().size.store(size, std::memory_order_relaxed);
  }
  [[nodiscard]] decltype(auto) value_at(std::uint64_t at) const {
    if constexpr (storage_of<T> == storage::direct) {
      return static_cast<const T&>(form_at(at));
    } else {
      return stored_form<T>::load(stored_form<T>::copy(form_at(at)));
    }
  }

  [[nodiscard]] std::optional<T> least_before(const T* bound) const {
    if (size() == 0) return std::nullopt;
    std::optional<T> least(value_at(0));
    if (bound != nullptr && !Compare{}(*least, *bound)) least.reset();
    return least;
  }

  template <class Take>
  [[nodiscard]] bool take_one(const T* bound, Take& take) const {
    std::optional<T> least = least_before(bound);
    if (!least) return false;
    const removal plan = plan_removal();
    if (!take(*least)) return false;
    remove_least(plan);
    return true;
  }

  /// Values of `path` move up in this order; the last fills the hole.
  struct removal {
    std::array<std::uint64_t, most_levels> path;
    std::size_t length = 0;
  };
  [[nodiscard]] removal plan_removal() const {
    removal plan;
    const std::uint64_t last = size() - 1;
    if (last == 0) return plan;
    const auto& moved = value_at(last);
    for (std::uint64_t at = 0; 2 * at + 1 < last;) {
      std::uint64_t child = 2 * at + 1;
      if (child + 1 < last && Compare{}(value_at(child + 1), value_at(child))) ++child;
      if (!Compare{}(value_at(child), moved)) break;
      plan.path[plan.length++] = at = child;
    }
    return plan;
  }
  void remove_least(const removal& plan) const noexcept {
    const std::uint64_t last = size() - 1;
    const stored least = form_at(0);
    const stored moved = form_at(last);
    std::uint64_t hole = 0;
    for (std::size_t i = 0; i < plan.length; ++i) {
      set(hole, form_at(plan.path[i]));
      hole = plan.path[i];
    }
    set(hole, moved);
    set_size(last);
    stored_form<T>::release(least);
  }

  void make_room(std::uint64_t values) const {
    heap_head& here = head();
    if (values <= here.capacity) return;
    const std::uint64_t capacity = larger(first_capacity, 2 * here.capacity);
    void* const block = runtime::allocate_private(capacity * sizeof(stored),
                                                  larger<std::size_t>(64, alignof(stored)));
    if (here.capacity != 0) {
      std::memcpy(block, static_cast<const void*>(forms()), size() * sizeof(stored));
    }
    const std::uint64_t before = std::exchange(here.block, runtime::global_bits(block));
    here.capacity = capacity;
    if (before != 0) runtime::free_private_of(before);
  }

  std::byte* memory_;
};

}  // namespace acre::container
