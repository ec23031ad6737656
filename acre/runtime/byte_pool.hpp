// Memory for messages that wait: blocks of a few sizes, which any thread takes and any gives back.
// The network's helper takes what the rank's own threads give back, so the system's heap would move
// every block between its arenas, and its large ones between the process and the system.
//
// A bounded number of bytes is kept. The address sanitizer is given every block back, or it could
// not see a use after free.
#pragma once

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
  /// Bytes that are kept for later.
  static constexpr std::size_t most_kept = std::size_t{4} << 20;

  byte_pool() = default;
  byte_pool(const byte_pool&) = delete;
  byte_pool& operator=(const byte_pool&) = delete;
  ~byte_pool() {
    for (free_block* first : lists_) {
      while (first != nullptr) std::free(std::exchange(first, first->next));
    }
  }

  /// At least so many bytes, aligned as by malloc().
  [[nodiscard]] void* take(std::size_t bytes) {
    const std::size_t size = size_for(bytes);
    if (is_kept(size)) {
      const std::lock_guard hold(lock_);
      free_block*& list = list_of(size);
      if (list != nullptr) {
        kept_ -= size;
        return std::exchange(list, list->next);
      }
    }
    void* const made = std::malloc(size);
    if (made == nullptr) throw std::bad_alloc();
    return made;
  }

  /// @param bytes  as many as were asked for
  void give_back(void* block, std::size_t bytes) noexcept {
    const std::size_t size = size_for(bytes);
    if (is_kept(size)) {
      const std::lock_guard hold(lock_);
      if (kept_ + size <= most_kept) {
        kept_ += size;
        free_block*& list = list_of(size);
        list = ::new (block) free_block{list};
        return;
      }
    }
    std::free(block);
  }

  [[nodiscard]] std::size_t kept_bytes() const noexcept {
    const std::lock_guard hold(lock_);
    return kept_;
  }

 private:
  struct free_block {
    free_block* next;
  };

  // Four sizes to a power of two, up to a message of a ring.
  static constexpr std::size_t smallest = 128;
  static constexpr std::size_t largest = std::size_t{160} << 10;
  static constexpr std::size_t steps = 4;

  [[nodiscard]] static constexpr std::size_t size_for(std::size_t bytes) noexcept {
    if (bytes <= smallest) return smallest;
    const std::size_t step = std::bit_floor(bytes - 1) / steps;
    return (bytes + step - 1) / step * step;
  }
  [[nodiscard]] static bool is_kept(std::size_t size) noexcept {
    return size <= largest && keeps_blocks();
  }
  [[nodiscard]] static constexpr std::size_t list_number(std::size_t size) noexcept {
    const std::size_t power = std::bit_floor(size);
    return static_cast<std::size_t>(std::countr_zero(power) - std::countr_zero(smallest)) * steps +
           (size - power) / (power / steps);
  }
  [[nodiscard]] free_block*& list_of(std::size_t size) noexcept {
    return lists_[list_number(size)];
  }

  mutable spin_lock lock_;
  std::array<free_block*, steps*(std::bit_width(largest) - std::bit_width(smallest) + 1)> lists_{};
  std::size_t kept_ = 0;
};

}  // namespace acre::runtime
