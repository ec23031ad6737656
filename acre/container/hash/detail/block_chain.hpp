// SPDX-License-Identifier: BSD-3-Clause
// The memory of a part that grows while it is used: a chain of blocks of buckets.
//
// A part begins with one block, made by all members together. Whoever finds no room in it
// adds another, in the private heap of the rank at hand: one of the owner's node, for only
// those use buckets directly. So nobody else takes part, and keys stay where they are. The
// next collective of the table moves all entries to one block, and the others go back to the
// heaps that they are from.
//
// Before the buckets of each block lies a line that says where the next block is. It is
// written when a block is added; else it is only read.
#pragma once

#include <acre/base/bits.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::container {

struct alignas(64) block_link {
  /// Values of `next` that are no block.
  static constexpr std::uint64_t none = 0;
  static constexpr std::uint64_t being_made = 1;

  std::atomic<std::uint64_t> next;  ///< the bits of a global pointer to the link of the next block
  std::uint64_t capacity;           ///< how many buckets this block has
  std::uint64_t grows;              ///< of the first: whether blocks may be added

  /// The next block, if there is one; what was written before it was added is seen.
  [[nodiscard]] block_link* following() const noexcept;
};

/// How far the buckets of a block begin behind its link.
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

/// What the blocks of a table are made of.
struct block_shape {
  std::size_t link_bytes;
  std::size_t bucket_bytes;
  std::size_t alignment;
};

/// Adds an empty block after `last`, unless somebody has done so meanwhile; where somebody is
/// about to, waits for that one block. It is as large as all before it together, or smaller
/// where memory is scarce. Any thread of the node, at any time: it neither sends nor makes
/// progress. The wait is that for a lock: who dies in the middle of it ends the job.
/// @return whether there is a block now; else the private heap of this rank has no room
[[nodiscard]] bool add_block(const block_link& first, block_link& last,
                             const block_shape& shape) noexcept;

/// Gives all blocks but the first back to the heaps that they are from. Nobody uses them any more.
void free_added_blocks(block_link& first) noexcept;

}  // namespace acre::container
