// SPDX-License-Identifier: BSD-3-Clause
// Send and receive buffers of active messages.
#pragma once

#include <acre/fabric/message.hpp>
#include <acre/fabric/ofi_library.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace acre::fabric {

/// Up to 64 buffers for any thread. Claims the lowest free one, so that few are touched.
class send_slots {
 public:
  static constexpr unsigned most = 64;
  static constexpr unsigned none = most;

  send_slots(unsigned count, std::size_t slot_bytes)
      : count_(count),
        slot_bytes_(slot_bytes),
        memory_(new std::byte[count * slot_bytes]),
        uses_(new use[count]),
        free_(all()) {}

  [[nodiscard]] unsigned claim(rank_t target) noexcept {
    std::uint64_t free = free_.load(std::memory_order_relaxed);
    do {
      if (free == 0) return none;
    } while (!free_.compare_exchange_weak(free, free & (free - 1), std::memory_order_acquire,
                                          std::memory_order_relaxed));
    const auto slot = static_cast<unsigned>(std::countr_zero(free));
    uses_[slot].target = target;
    return slot;
  }

  void release(unsigned slot) noexcept {
    free_.fetch_or(std::uint64_t{1} << slot, std::memory_order_release);
  }

  [[nodiscard]] std::byte* memory(unsigned slot) noexcept {
    return memory_.get() + slot * slot_bytes_;
  }
  [[nodiscard]] void* context(unsigned slot) noexcept { return &uses_[slot].context; }
  [[nodiscard]] rank_t target(unsigned slot) const noexcept { return uses_[slot].target; }

  [[nodiscard]] unsigned slot_of(const void* context) const noexcept {
    const auto* found = static_cast<const use*>(context);
    if (std::less<>{}(found, uses_.get()) || !std::less<>{}(found, uses_.get() + count_))
      return none;
    return static_cast<unsigned>(found - uses_.get());
  }

  [[nodiscard]] bool all_free() const noexcept {
    return free_.load(std::memory_order_acquire) == all();
  }

 private:
  struct use {
    fi_context2 context;
    rank_t target;
  };

  [[nodiscard]] std::uint64_t all() const noexcept {
    return count_ == most ? ~std::uint64_t{0} : (std::uint64_t{1} << count_) - 1;
  }

  unsigned count_;
  std::size_t slot_bytes_;
  std::unique_ptr<std::byte[]> memory_;
  std::unique_ptr<use[]> uses_;
  std::atomic<std::uint64_t> free_;
};

/// Many messages per buffer with FI_MULTI_RECV, else one.
class receive_buffers {
 public:
  receive_buffers(unsigned count, std::size_t buffer_bytes)
      : buffer_bytes_(buffer_bytes), memory_(new std::byte[count * buffer_bytes]), buffers_(count) {
    for (unsigned i = 0; i < count; ++i) buffers_[i].memory = memory_.get() + i * buffer_bytes;
  }

  struct buffer {
    fi_context2 context{};
    std::byte* memory = nullptr;
    bool posted = false;
  };

  [[nodiscard]] std::vector<buffer>& all() noexcept { return buffers_; }
  [[nodiscard]] std::size_t buffer_bytes() const noexcept { return buffer_bytes_; }

  [[nodiscard]] buffer* buffer_of(void* context) noexcept {
    auto* found = static_cast<buffer*>(context);
    const bool inside = !std::less<>{}(found, buffers_.data()) &&
                        std::less<>{}(found, buffers_.data() + buffers_.size());
    return inside ? found : nullptr;
  }

 private:
  std::size_t buffer_bytes_;
  std::unique_ptr<std::byte[]> memory_;
  std::vector<buffer> buffers_;
};

}  // namespace acre::fabric
