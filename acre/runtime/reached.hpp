// SPDX-License-Identifier: BSD-3-Clause
// Translation of remote addresses of other interfaces by a table of ranks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace acre::runtime {

/// Sum of a table entry and another interface's address: a local address, or, with the highest bit
/// set, another node's segment offset.
class reached {
 public:
  static constexpr std::uintptr_t elsewhere = std::uintptr_t{1} << 63;

  [[gnu::always_inline]] explicit reached(std::uintptr_t sum) noexcept : sum_(sum) {}

  [[nodiscard, gnu::always_inline]] bool is_here() const noexcept {
    return static_cast<std::intptr_t>(sum_) >= 0;
  }
  [[nodiscard, gnu::always_inline]] std::byte* address() const noexcept {
    return reinterpret_cast<std::byte*>(sum_);
  }
  [[nodiscard, gnu::always_inline]] std::uint64_t offset() const noexcept {
    return sum_ & ~elsewhere;
  }

 private:
  std::uintptr_t sum_;
};

}  // namespace acre::runtime
