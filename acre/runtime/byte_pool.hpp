// SPDX-License-Identifier: BSD-3-Clause
// Thread-safe memory pool for messages. malloc() would move blocks between arenas and return large
// ones to the system: fresh pages cost several copies. Above 8 MiB, a returned block displaces the
// largest of another size. The address sanitizer receives every block.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/runtime/block_pool.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace acre::runtime {

class byte_pool {
 public:
  static constexpr std::size_t most_kept = std::size_t{8} << 20;

  byte_pool() = default;
  byte_pool(const byte_pool&) = delete;
  byte_pool& operator=(const byte_pool&) = delete;
  ~byte_pool() {
    for (std::size_t number = 0; number < lists_.size(); ++number) {
      while (lists_[number] != nullptr) unmake(pop_first(number));
    }
  }

  /// Returns at least `bytes`, aligned as by malloc().
  [[nodiscard]] void* allocate(std::size_t bytes) {
    const std::size_t size = size_for(bytes);
    if (is_kept(size)) {
      const std::lock_guard hold(lock_);
      const std::size_t number = list_number(size);
      if (lists_[number] != nullptr) return pop_first(number).begin;
    }
    void* const made = size < least_large ? make_small(size) : make_large(size);
    if (made == nullptr) throw std::bad_alloc();
    return made;
  }

  void give_back(void* block, std::size_t bytes) noexcept {
    const std::size_t size = size_for(bytes);
    if (!is_kept(size)) return unmake({block, size});
    bool is_too_much = keep({block, size});
    while (is_too_much) {
      const room gone = allocate_beyond_bound(size);
      is_too_much = gone.begin != nullptr;
      unmake(gone);
    }
  }

  [[nodiscard]] std::size_t kept_bytes() const noexcept {
    const std::lock_guard hold(lock_);
    return kept_;
  }

 private:
  struct free_block {
    free_block* next;
  };
  struct room {
    void* begin;
    std::size_t size;
  };

  static constexpr std::size_t smallest = 128;
  static constexpr std::size_t largest = std::size_t{4} << 20;
  static constexpr std::size_t steps = 4;

  // Copies take three times as long between nearly equal page offsets, so this pool places large
  // blocks unlike malloc().
  static constexpr std::size_t least_large = std::size_t{64} << 10;
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t large_begin = page / 2;

  [[nodiscard]] static void* make_small(std::size_t size) {
    // Not below the smallest. NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI)
    return std::malloc(size);
  }
  [[nodiscard]] static void* make_large(std::size_t size) {
    if (size > PTRDIFF_MAX) return nullptr;
    const std::size_t pages = (large_begin + size + page - 1) / page;
    void* const made = std::aligned_alloc(page, pages * page);
    return made == nullptr ? nullptr : static_cast<std::byte*>(made) + large_begin;
  }
  static void unmake(room gone) noexcept {
    if (gone.begin == nullptr) return;
    const std::size_t before = gone.size < least_large ? 0 : large_begin;
    std::free(static_cast<std::byte*>(gone.begin) - before);
  }

  [[nodiscard]] bool keep(room back) noexcept {
    const std::lock_guard hold(lock_);
    kept_ += back.size;
    free_block*& list = lists_[list_number(back.size)];
    list = ::new (back.begin) free_block{list};
    return kept_ > most_kept;
  }
  room pop_first(std::size_t number) noexcept {
    const std::size_t size = size_of(number);
    kept_ -= size;
    free_block*& list = lists_[number];
    return {std::exchange(list, list->next), size};
  }
  /// Kept block to be freed, preferably of another size; null within most_kept.
  room allocate_beyond_bound(std::size_t size) noexcept {
    const std::lock_guard hold(lock_);
    if (kept_ <= most_kept) return {};
    const std::size_t own = list_number(size);
    for (std::size_t number = lists_.size(); number-- != 0;) {
      if (number != own && lists_[number] != nullptr) return pop_first(number);
    }
    return pop_first(own);
  }

  [[nodiscard]] static constexpr std::size_t size_for(std::size_t bytes) noexcept {
    if (bytes <= smallest) return smallest;
    if (bytes > largest) return bytes;
    return round_up(bytes, std::bit_floor(bytes - 1) / steps);
  }
  [[nodiscard]] static bool is_kept(std::size_t size) noexcept {
    return size <= largest && keeps_blocks();
  }
  [[nodiscard]] static constexpr std::size_t list_number(std::size_t size) noexcept {
    // Number of a size's list: highest bit, then the next bits.
    const int highest = static_cast<int>(std::bit_width(size)) - 1;
    return static_cast<std::size_t>(highest - std::countr_zero(smallest)) * steps +
           (size >> (highest - std::countr_zero(steps))) % steps;
  }
  [[nodiscard]] static constexpr std::size_t size_of(std::size_t number) noexcept {
    const std::size_t power = smallest << number / steps;
    return power + number % steps * (power / steps);
  }

  mutable spin_lock lock_;
  std::array<free_block*, steps*(std::bit_width(largest) - std::bit_width(smallest) + 1)> lists_{};
  std::size_t kept_ = 0;
};

[[nodiscard]] byte_pool& pool_of_messages();

}  // namespace acre::runtime
