// SPDX-License-Identifier: BSD-3-Clause
// Memory from a part of the segment: Boost.Interprocess's best-fit tree
// allocator, which lives inside the memory that it manages and touches no page
// it does not use. It is deterministic: the same calls on all ranks give the
// same offsets, which is what makes an allocation symmetric.
//
// Each block has a mark in its header, in a word that the tree leaves alone: so what is freed
// twice, or is no block, is told from what is.
#pragma once

#include <cstddef>
#include <mutex>

namespace acre::runtime {

class segment_heap {
 public:
  /// Manages [base, base + bytes), which must be zero or never used.
  segment_heap(std::byte* base, std::size_t bytes);

  /// Null when there is no block of that size. Aligned to at least 64 bytes, as
  /// many as each block costs besides its own; blocks of 2 MiB or more ask for huge pages.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment = 64);

  /// Frees; the pages of large blocks go back to the system, unless they are kept. Null is fine.
  /// @return false, and nothing is done, when no allocated block begins there
  bool free(void* block);

  /// Frees what lies behind the first bytes of an allocated block; its pages go back to the system,
  /// unless they are kept, but for what a huge page has of them.
  void shrink(void* block, std::size_t bytes);

  /// Whether an allocated block begins there, of at least so many bytes.
  [[nodiscard]] bool has_block(const void* address, std::size_t least_bytes = 0) const;

  /// From now on pages stay where they are: whoever has pinned them would go on
  /// using them when this process has others in their place.
  void keep_pages();

  /// How many blocks are allocated.
  [[nodiscard]] std::size_t blocks() const;
  [[nodiscard]] std::size_t free_bytes() const;
  /// The most that one allocation of the usual alignment can have.
  [[nodiscard]] std::size_t largest_free_block() const;
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; }
  [[nodiscard]] bool contains(const void* address) const noexcept;

 private:
  [[nodiscard]] bool is_marked(const void* address) const noexcept;

  std::byte* base_;
  std::size_t bytes_;
  void* tree_;
  std::size_t blocks_ = 0;
  bool gives_pages_back_ = true;
  mutable std::mutex lock_;
};

}  // namespace acre::runtime
