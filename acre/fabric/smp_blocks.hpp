// SPDX-License-Identifier: BSD-3-Clause
// Blocks in shared memory for the bodies of messages to neighbours. What takes more than a few
// cells of a ring is written once, into a block of its sender's, and read where it lies; through
// the ring goes a message of one cell that names the block.
//
// So a body costs one copy. Its lines travel only when the receiver reads them, and go back only
// when the block is used again; the cells of a ring would travel all, for the receiver marks each.
// A handler that runs on a block holds no cells: the ring goes on meanwhile.
//
// Who writes what: `busy` the sender from 0 to 1, by compare-and-swap (acquire: the receiver has
// read the body), for its threads compete; the receiver from 1 to 0 (release); the body its sender
// alone, before it sends the message that names it (the ring's release). A receiver that dies keeps
// what it holds: a dead rank ends the job.
//
// All-zero memory is a set of free blocks, so fresh shared memory needs no set-up.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::fabric {

class smp_blocks {
 public:
  /// A block's body is aligned as the heap's memory is.
  static constexpr std::size_t largest_body = (std::size_t{32} << 10) + 240;

  /// How many sizes of blocks there are, and which of them, from 0, is the least for so many bytes.
  static constexpr std::size_t sizes = 3;
  [[nodiscard]] static constexpr std::size_t size_for(std::size_t bytes) noexcept {
    if (bytes <= small_body) return 0;
    return bytes <= medium_body ? 1 : 2;
  }

  /// A block of the own rank's, for so many bytes.
  /// @return its body; null: none is free now (or ever, above largest_body)
  [[nodiscard]] std::byte* try_take(std::size_t bytes) noexcept {
    if (std::byte* body = take_one_of(small_, bytes)) return body;
    if (std::byte* body = take_one_of(medium_, bytes)) return body;
    return take_one_of(large_, bytes);
  }

  /// By whoever has read it, or has taken it and does not send it.
  /// @param place  in the body, at most bytes_to_second_line behind its beginning
  static void give_back(const std::byte* place) noexcept {
    const auto first_line = (reinterpret_cast<std::uintptr_t>(place) - 1) & ~std::uintptr_t{63};
    auto* const busy = reinterpret_cast<std::atomic<std::uint32_t>*>(first_line);
    busy->store(0, std::memory_order_release);
  }

  /// From the beginning of a body, which shares its first line with the block's head.
  static constexpr std::size_t bytes_to_second_line = 48;

  /// Where a place of a body lies in its rank's blocks, the same in all processes.
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

  /// The first that is free: the fewest blocks are in use, and those are in the sender's cache.
  template <class Block, std::size_t Count>
  [[nodiscard]] static std::byte* take_one_of(Block (&blocks)[Count], std::size_t bytes) noexcept {
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

  // Of 33, 132 and 516 lines, and not of powers of two: so the first lines of the blocks of a size
  // do not share a set of a cache.
  block<small_body> small_[24];
  block<medium_body> medium_[16];
  block<largest_body> large_[9];
};

}  // namespace acre::fabric
