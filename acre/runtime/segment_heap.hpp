// SPDX-License-Identifier: BSD-3-Clause
// Heap of a segment: Boost.Interprocess's best-fit tree, which touches no unused page. Equal calls
// return equal offsets on all ranks. A mark in each block's header detects double frees and invalid
// addresses.
#pragma once

#include <cstddef>
#include <mutex>

namespace acre::runtime {

class segment_heap {
 public:
  /// [base, base + bytes) must not contain marks of an earlier heap.
  segment_heap(std::byte* base, std::size_t bytes);

  /// Returns null if full. Alignment and overhead are at least 64 bytes each. Huge pages are
  /// requested for blocks of 2 MiB or more.
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment = 64);

  /// Pages of large blocks return to the system unless kept.
  /// @return false, without effect, if not an allocated block; null is allowed
  bool free(void* block);

  /// Frees all but the first `bytes`; pages from the next huge page on return to the system unless
  /// kept.
  void shrink(void* block, std::size_t bytes);

  /// True if a block of at least `least_bytes` begins there.
  [[nodiscard]] bool has_block(const void* address, std::size_t least_bytes = 0) const;

  /// From now on, pages stay when blocks are freed: for devices that pinned them.
  void keep_pages();

  [[nodiscard]] std::size_t blocks() const;
  [[nodiscard]] std::size_t free_bytes() const;
  /// Size of the largest block that allocate() can return at default alignment.
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
