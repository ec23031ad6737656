// SPDX-License-Identifier: BSD-3-Clause
// Memory for a message (byte_pool.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <utility>

namespace acre::runtime {

/// Uninitialised, aligned as by malloc().
class pooled_bytes {
 public:
  pooled_bytes() = default;
  explicit pooled_bytes(std::size_t bytes);
  pooled_bytes(pooled_bytes&& other) noexcept : place_(std::exchange(other.place_, {})) {}
  pooled_bytes& operator=(pooled_bytes&& other) noexcept {
    std::swap(place_, other.place_);
    return *this;
  }
  ~pooled_bytes() {
    if (!place_.empty()) give_back();
  }

  [[nodiscard]] std::span<std::byte> span() const noexcept { return place_; }

 private:
  void give_back() noexcept;

  std::span<std::byte> place_;
};

}  // namespace acre::runtime
