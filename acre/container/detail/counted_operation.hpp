// SPDX-License-Identifier: BSD-3-Clause
// Counts a container's asynchronous operations under way.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace acre::container {

class counted_operation {
 public:
  explicit counted_operation(std::atomic<std::uint64_t>& under_way) noexcept
      : under_way_(&under_way) {
    under_way.fetch_add(1, std::memory_order_relaxed);
  }
  counted_operation(counted_operation&& other) noexcept
      : under_way_(std::exchange(other.under_way_, nullptr)) {}
  counted_operation& operator=(counted_operation&&) = delete;
  ~counted_operation() {
    if (under_way_ != nullptr) under_way_->fetch_sub(1, std::memory_order_release);
  }

 private:
  std::atomic<std::uint64_t>* under_way_;
};

}  // namespace acre::container
