// SPDX-License-Identifier: BSD-3-Clause
// Owned heap memory for bytes.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace acre::global {

/// Uninitialised, aligned to payload_alignment.
class owned_bytes {
 public:
  owned_bytes() = default;
  explicit owned_bytes(std::size_t size)
      : bytes_(size == 0 ? nullptr : new std::byte[size]), size_(size) {}
  owned_bytes(owned_bytes&& other) noexcept
      : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  owned_bytes& operator=(owned_bytes&& other) noexcept {
    const owned_bytes old(std::move(*this));
    bytes_ = std::exchange(other.bytes_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~owned_bytes() { delete[] bytes_; }

  [[nodiscard]] std::byte* data() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<std::byte> span() const noexcept { return {bytes_, size_}; }

 private:
  std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace acre::global
