// SPDX-License-Identifier: BSD-3-Clause
// The two heaps in a rank's segment: the symmetric one, in which the same calls
// on all ranks give the same offsets, and the private one, for what a single
// rank allocates. Both are addressable by all ranks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace acre::runtime {

/// Every rank of the job makes the same calls in the same order; the result
/// has the same offset on all. It is not a barrier: the caller makes one
/// before others may write into the block.
/// @throws acre::error when the heap is full, on all ranks alike
[[nodiscard]] void* allocate_symmetric(std::size_t bytes, std::size_t alignment = 64);
/// @return false, and nothing is done, when no allocated block begins there; null is fine
bool free_symmetric(void* block) noexcept;
/// The blocks of this rank's symmetric heap that are not free.
[[nodiscard]] std::size_t symmetric_blocks() noexcept;

/// More than this no block is aligned to: what lies at one offset is aligned on all ranks as far as
/// their segments are, which the system places. Behind static data (static_data.hpp) that is as far
/// as the program was linked for.
[[nodiscard]] std::size_t most_alignment() noexcept;

/// Allocates for this rank alone. Thread-safe.
/// @throws acre::error when the heap is full
[[nodiscard]] void* allocate_private(std::size_t bytes, std::size_t alignment = 64);
/// @return false, and nothing is done, when no allocated block begins there; null is fine
bool free_private(void* block) noexcept;
/// Frees what lies behind the first bytes of a block of the private heap; pages there go back to
/// the system. Thread-safe.
void shrink_private(void* block, std::size_t bytes) noexcept;
/// Whether an allocated block of this rank's private heap begins there.
[[nodiscard]] bool has_private_block(const void* address, std::size_t least_bytes = 0) noexcept;

/// Frees a block of the private heap of any rank of this node, given as the bits
/// of its global pointer. Another rank's is free to be allocated at that rank's
/// next call of this header; that rank need not take part. Thread-safe.
void free_private_of(std::uint64_t pointer_bits) noexcept;

/// The offset of an address in this rank's segment.
[[nodiscard]] std::uint64_t segment_offset(const void* address) noexcept;
[[nodiscard]] bool in_segment(const void* address) noexcept;
[[nodiscard]] bool in_symmetric_heap(const void* address) noexcept;

/// What is left of the two heaps, in bytes.
struct free_memory {
  std::size_t symmetric;
  std::size_t private_part;
};
[[nodiscard]] free_memory segment_free();

}  // namespace acre::runtime
