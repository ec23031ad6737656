// SPDX-License-Identifier: BSD-3-Clause
// Shared-memory blocks for message bodies between ranks of a node. The sender copies a body into
// its block; a one-cell message in the ring names it, and the receiver reads it in place. In the
// ring, the receiver would also write to the cells.
//
// `busy`: 0 → 1 by the sender's threads, compare-and-swap, acquire (the receiver has read the
// body); 1 → 0 by the receiver, release, or by the sender of an unsent body. The ring's release
// publishes the body. A receiver that dies leaves them busy. Zeroed memory is free blocks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::fabric {

class smp_blocks {
 public:
  /// Maximum size of a body. Bodies are aligned to 16 bytes.
  static constexpr std::size_t largest_body = (std::size_t{32} << 10) + 240;

  static constexpr std::size_t sizes = 3;
  [[nodiscard]] static constexpr std::size_t size_for(std::size_t bytes) noexcept {
    if (bytes <= small_body) return 0;
    return bytes <= medium_body ? 1 : 2;
  }

  /// @return the body's address; null if all blocks that hold `bytes` are in use
  [[nodiscard]] std::byte* try_take(std::size_t bytes) noexcept {
    if (std::byte* body = allocate_one_of(small_, bytes)) return body;
    if (std::byte* body = allocate_one_of(medium_, bytes)) return body;
    return allocate_one_of(large_, bytes);
  }

  /// @param place  at most bytes_to_second_line after its start
  static void give_back(const std::byte* place) noexcept {
    const auto first_line = (reinterpret_cast<std::uintptr_t>(place) - 1) & ~std::uintptr_t{63};
    auto* const busy = reinterpret_cast<std::atomic<std::uint32_t>*>(first_line);
    busy->store(0, std::memory_order_release);
  }

  /// Distance from the body's start to the next cache line; the first also has the block's header.
  static constexpr std::size_t bytes_to_second_line = 48;

  /// Offset in its rank's blocks, valid in all processes.
  [[nodiscard]] std::uint64_t offset_of(const std::byte* body) const noexcept {
    return static_cast<std::uint64_t>(body - reinterpret_cast<const std::byte*>(this));
  }
  [[nodiscard]] const std::byte* body_at(std::uint64_t offset) const noexcept {
    return reinterpret_cast<const std::byte*>(this) + offset;
  }

 private:
  static constexpr std::size_t head_bytes = 64 - bytes_to_second_line;
  static constexpr std::size_t small_body = (std::size_t{2} << 10) + 48;
  static constexpr std::size_t medium_body = (std::size_t{8} << 10) + 240;

  template <std::size_t BodyBytes>
  struct alignas(64) block {
    std::atomic<std::uint32_t> busy;
    alignas(head_bytes) std::byte body[BodyBytes];
  };

  template <class Block, std::size_t Count>
  [[nodiscard]] static std::byte* allocate_one_of(Block (&blocks)[Count],
                                                  std::size_t bytes) noexcept {
    if (bytes > sizeof(Block::body)) return nullptr;
    for (Block& each : blocks) {
      std::uint32_t free = 0;
      if (each.busy.load(std::memory_order_relaxed) == 0 &&
          each.busy.compare_exchange_strong(free, 1, std::memory_order_acquire,
                                            std::memory_order_relaxed)) {
        return each.body;
      }
    }
    return nullptr;
  }

  // 33, 132 and 516 lines, no powers of two, to avoid conflicts in cache sets.
  block<small_body> small_[24];
  block<medium_body> medium_[16];
  block<largest_body> large_[9];
};

}  // namespace acre::fabric
