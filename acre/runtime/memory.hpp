// SPDX-License-Identifier: BSD-3-Clause
// A rank's two heaps, both addressable by all ranks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace acre::runtime {

/// Allocates in the symmetric heap. Equal calls in equal order on all ranks return equal offsets.
/// Does not synchronise: call barrier() before other ranks write to the block.
/// @throws acre::error if the heap is full, on all ranks
[[nodiscard]] void* allocate_symmetric(std::size_t bytes, std::size_t alignment = 64);
/// @return false, without effect, if `block` is not allocated; null is allowed
bool free_symmetric(void* block) noexcept;
[[nodiscard]] std::size_t symmetric_blocks() noexcept;

/// Maximum alignment: that of the segments; with static data (static_data.hpp), that of the linker.
[[nodiscard]] std::size_t most_alignment() noexcept;

/// Allocates in this rank's private heap. Thread-safe.
/// @throws acre::error if the heap is full
[[nodiscard]] void* allocate_private(std::size_t bytes, std::size_t alignment = 64);
/// As free_symmetric().
bool free_private(void* block) noexcept;
/// Frees all but the first `bytes` of a block, with their pages. Thread-safe.
void shrink_private(void* block, std::size_t bytes) noexcept;
/// True if an allocated block begins there.
[[nodiscard]] bool has_private_block(const void* address, std::size_t least_bytes = 0) noexcept;

/// Frees a private block of any rank of this node, by global pointer bits. Another rank's memory
/// becomes free at its next private allocation. Thread-safe.
void free_private_of(std::uint64_t pointer_bits) noexcept;

[[nodiscard]] std::uint64_t segment_offset(const void* address) noexcept;
/// Global pointer bits of an address in this rank's segment.
[[nodiscard]] std::uint64_t global_bits(const void* address) noexcept;
[[nodiscard]] bool in_segment(const void* address) noexcept;
[[nodiscard]] bool in_symmetric_heap(const void* address) noexcept;

/// Free bytes of both heaps.
struct free_memory {
  std::size_t symmetric;
  std::size_t private_part;
};
[[nodiscard]] free_memory segment_free();

}  // namespace acre::runtime
