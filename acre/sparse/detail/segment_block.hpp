// Memory of this rank's private heap, which other ranks may read.
#pragma once

#include <acre/runtime/memory.hpp>

#include <cstddef>
#include <utility>

namespace acre::detail {

/// Bytes without an initial value, freed when it ends. Whoever owns it knows that nobody reads them
/// any more.
class segment_block {
 public:
  segment_block() = default;
  /// @throws acre::error when the heap has no room
  explicit segment_block(std::size_t bytes)
      : bytes_(bytes == 0 ? nullptr
                          : static_cast<std::byte*>(runtime::allocate_private(bytes, alignment))),
        size_(bytes) {
    if (bytes >= large) runtime::use_huge_pages(bytes_, bytes);
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

  /// Leaves it to others, until the job ends.
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

}  // namespace acre::detail
