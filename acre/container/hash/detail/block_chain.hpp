// SPDX-License-Identifier: BSD-3-Clause
// Memory of a growing part: a linked list of blocks of buckets.
//
// A rank of the owner's node that finds no free bucket adds a block from its own private heap; keys
// do not move (growth.hpp).
#pragma once

#include <acre/base/bits.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::container {

struct alignas(64) block_link {
  static constexpr std::uint64_t none = 0;
  static constexpr std::uint64_t being_made = 1;

  std::atomic<std::uint64_t> next;
  std::uint64_t capacity;
  std::uint64_t grows;

  /// Null if last (acquire: sees its initialisation).
  [[nodiscard]] block_link* following() const noexcept;
};

template <class Bucket>
inline constexpr std::size_t link_bytes =
    round_up(sizeof(block_link), larger(alignof(block_link), alignof(Bucket)));

template <class Bucket>
[[nodiscard]] block_link& link_before(Bucket* buckets) noexcept {
  return *reinterpret_cast<block_link*>(reinterpret_cast<std::byte*>(buckets) - link_bytes<Bucket>);
}
template <class Bucket>
[[nodiscard]] std::span<Bucket> buckets_behind(block_link& link) noexcept {
  auto* const buckets = reinterpret_cast<std::byte*>(&link) + link_bytes<Bucket>;
  return {reinterpret_cast<Bucket*>(buckets), link.capacity};
}

struct block_shape {
  std::size_t link_bytes;
  std::size_t bucket_bytes;
  std::size_t alignment;
};

/// Adds an empty block after `last` unless present; waits if another thread is adding it. Doubles
/// the capacity, but adds at least 64 KiB; less if memory is scarce. Any thread; no messages, no
/// progress. The death of a process meanwhile ends the job.
/// @return false if this rank's private heap is full
[[nodiscard]] bool add_block(const block_link& first, block_link& last,
                             const block_shape& shape) noexcept;

void free_added_blocks(block_link& first) noexcept;

}  // namespace acre::container
