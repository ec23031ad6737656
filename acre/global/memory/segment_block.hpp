// SPDX-License-Identifier: BSD-3-Clause
// Owned block of this rank's private heap, readable by other ranks.
#pragma once

#include <acre/runtime/huge_pages.hpp>
#include <acre/runtime/memory.hpp>

#include <cstddef>
#include <utility>

namespace acre::global {

/// Uninitialised memory, freed by the destructor. The owner must ensure that other ranks no longer
/// read it.
class segment_block {
 public:
  segment_block() = default;
  /// @throws acre::error if the heap is full
  explicit segment_block(std::size_t bytes) : segment_block(at_most(bytes)) {
    if (bytes >= large) runtime::use_huge_pages(bytes_, bytes);
  }
  /// Allocates `bytes` for a caller that writes the beginning, then calls shrink().
  /// @throws acre::error if the heap is full
  [[nodiscard]] static segment_block at_most(std::size_t bytes) {
    segment_block block;
    if (bytes == 0) return block;
    block.bytes_ = static_cast<std::byte*>(runtime::allocate_private(bytes, alignment));
    block.size_ = bytes;
    return block;
  }
  segment_block(segment_block&& other) noexcept
      : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  segment_block& operator=(segment_block&& other) noexcept {
    if (this != &other) {
      runtime::free_private(bytes_);
      bytes_ = std::exchange(other.bytes_, nullptr);
      size_ = std::exchange(other.size_, 0);
    }
    return *this;
  }
  ~segment_block() { runtime::free_private(bytes_); }

  /// Keeps the first `bytes` and frees the rest, which should be unwritten.
  void shrink(std::size_t bytes) noexcept {
    if (bytes >= size_) return;
    runtime::shrink_private(bytes_, bytes);
    size_ = bytes;
  }
  /// Gives up the block, which stays allocated until the job ends.
  void abandon() noexcept { bytes_ = nullptr; }

  [[nodiscard]] std::byte* data() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return reinterpret_cast<T*>(bytes_);
  }

 private:
  static constexpr std::size_t alignment = 64;
  static constexpr std::size_t large = std::size_t{4} << 20;

  std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace acre::global
