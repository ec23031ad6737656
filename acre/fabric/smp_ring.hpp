// SPDX-License-Identifier: BSD-3-Clause
// Bounded multi-producer, single-consumer mailbox of a rank in shared memory: a ring of 64-byte
// cells. A message occupies consecutive cells and never wraps: a marker skips to the end.
//
// - Producer: reserves cells by compare-and-swap of `tail`, writes all but the first word,
// publishes by storing it with release. One bit is the lap's parity, so words of the previous lap
// read as empty.
// - Consumer: loads the word with acquire, handles the message in place, sets the parity in all
// cells but the first (each may start a message of the next lap), advances `head`.
//
// Cells belong to their producer until published, then to the consumer until `head` passes. The
// line of a one-cell message moves once, as the consumer does not write it. A producer that dies
// before publishing blocks the ring: a dead rank ends the job. Zeroed memory is an empty ring.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/fabric/message.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstring>

namespace acre::fabric {

class smp_ring {
 public:
  static constexpr std::size_t cell_bytes = 64;
  static constexpr std::size_t cell_count = 8192;
  static constexpr std::size_t max_message_bytes = cell_count * cell_bytes / 4;

  /// Copies a message in, at most max_message_bytes. False if full.
  /// @param seen_head  cached `head`; may be stale
  [[nodiscard]] bool try_push(std::atomic<std::uint64_t>& seen_head, const message_header& header,
                              const word* arguments, const void* payload) noexcept {
    const std::size_t argument_bytes = header.argument_count * sizeof(word);
    const std::size_t needed =
        divide_up(sizeof(message_header) + argument_bytes + header.payload_bytes, cell_bytes);
    std::uint64_t position = tail_.load(std::memory_order_relaxed);
    std::size_t skipped = 0;
    do {
      const std::size_t to_end = cell_count - position % cell_count;
      skipped = needed > to_end ? to_end : 0;
      if (!has_room(seen_head, position + skipped + needed)) return false;
    } while (!tail_.compare_exchange_weak(position, position + skipped + needed,
                                          std::memory_order_relaxed));
    if (skipped != 0) publish(position, {.flags = skip_flag});
    std::byte* cell = cell_at(position + skipped);
    const auto words = std::bit_cast<std::array<word, 2>>(header);
    std::memcpy(cell + sizeof(word), &words[1], sizeof(word));
    if (argument_bytes != 0) std::memcpy(cell + sizeof(message_header), arguments, argument_bytes);
    if (header.payload_bytes != 0) {
      std::memcpy(cell + sizeof(message_header) + argument_bytes, payload, header.payload_bytes);
    }
    publish(position + skipped, header);
    return true;
  }

  /// Reading end, for one thread at a time.
  class cursor {
   public:
    explicit cursor(smp_ring& ring) noexcept : ring_(&ring) {}

    /// True if a message waits. Callable by any thread.
    [[nodiscard]] bool ready() const noexcept {
      const std::uint64_t next = next_.load(std::memory_order_relaxed);
      return is_published(first_word(next), next);
    }

    template <class Take>
    bool pop(Take&& take) {
      std::uint64_t next = next_.load(std::memory_order_relaxed);
      word first = first_word(next);
      if (!is_published(first, next)) return false;
      if ((header_of(first, 0).flags & skip_flag) != 0) {
        next = release(next, cell_count - next % cell_count);
        first = first_word(next);
        if (!is_published(first, next)) return false;
      }
      const std::byte* cell = ring_->cell_at(next);
      message received{
          .header = header_of(first, ring_->word_at(next)[1]), .arguments = {}, .payload = {}};
      received.header.flags &= static_cast<std::uint16_t>(~reserved_flags);
      const std::size_t argument_bytes = received.header.argument_count * sizeof(word);
      received.arguments = {reinterpret_cast<const word*>(cell + sizeof(message_header)),
                            received.header.argument_count};
      received.payload = {cell + sizeof(message_header) + argument_bytes,
                          received.header.payload_bytes};
      const std::size_t used = divide_up(
          sizeof(message_header) + argument_bytes + received.header.payload_bytes, cell_bytes);
      take(received);
      release(next, used);
      return true;
    }

   private:
    [[nodiscard]] word first_word(std::uint64_t position) const noexcept {
      return std::atomic_ref(*ring_->word_at(position)).load(std::memory_order_acquire);
    }

    std::uint64_t release(std::uint64_t begin, std::size_t cells) noexcept {
      const word of_this_lap =
          std::bit_cast<std::array<word, 2>>(message_header{.flags = parity_of(begin)})[0];
      const std::uint64_t end = begin + cells;
      for (std::uint64_t i = begin + 1; i < end; ++i) {
        std::atomic_ref(*ring_->word_at(i)).store(of_this_lap, std::memory_order_relaxed);
      }
      next_.store(end, std::memory_order_relaxed);
      ring_->head_.store(end, std::memory_order_release);
      return end;
    }

    smp_ring* ring_;
    std::atomic<std::uint64_t> next_{0};
  };

  static constexpr std::uint16_t parity_flag = 0x8000;
  static constexpr std::uint16_t skip_flag = 0x4000;
  static constexpr std::uint16_t reserved_flags = parity_flag | skip_flag;

 private:
  [[nodiscard]] bool has_room(std::atomic<std::uint64_t>& seen_head,
                              std::uint64_t end) const noexcept {
    if (end - seen_head.load(std::memory_order_acquire) <= cell_count) return true;
    const std::uint64_t head = head_.load(std::memory_order_acquire);
    seen_head.store(head, std::memory_order_release);
    return end - head <= cell_count;
  }

  void publish(std::uint64_t position, message_header header) noexcept {
    header.flags |= parity_of(position);
    const auto words = std::bit_cast<std::array<word, 2>>(header);
    std::atomic_ref(*word_at(position)).store(words[0], std::memory_order_release);
  }

  [[nodiscard]] static std::uint16_t parity_of(std::uint64_t position) noexcept {
    return position / cell_count % 2 == 0 ? parity_flag : std::uint16_t{0};
  }
  [[nodiscard]] static bool is_published(word first, std::uint64_t position) noexcept {
    return (header_of(first, 0).flags & parity_flag) == parity_of(position);
  }
  [[nodiscard]] static message_header header_of(word first, word second) noexcept {
    return std::bit_cast<message_header>(std::array{first, second});
  }

  [[nodiscard]] std::byte* cell_at(std::uint64_t position) noexcept {
    return cells_ + position % cell_count * cell_bytes;
  }
  [[nodiscard]] std::uint64_t* word_at(std::uint64_t position) noexcept {
    return reinterpret_cast<std::uint64_t*>(cell_at(position));
  }

  // Two lines apart: cores prefetch pairs.
  alignas(128) std::atomic<std::uint64_t> tail_;
  alignas(128) std::atomic<std::uint64_t> head_;
  alignas(128) std::byte cells_[cell_count * cell_bytes];
};

}  // namespace acre::fabric
