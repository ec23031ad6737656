// SPDX-License-Identifier: BSD-3-Clause
// Enables huge pages just ahead of a sequential write, while zeroed pages are cached.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/global/memory/segment_block.hpp>
#include <acre/runtime/huge_pages.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace acre::csr {

class huge_page_front {
 public:
  explicit huge_page_front(const global::segment_block& block)
      : block_(block.data()), bytes_(block.size()) {}

  void reach(std::size_t end) noexcept {
    if (end <= ready_ || bytes_ < large) return;
    const auto block = reinterpret_cast<std::uintptr_t>(block_);
    const std::size_t ahead = std::clamp(end / 4, large / 4, large);
    const std::size_t next = std::min(round_up(block + end + ahead, page) - block, bytes_);
    runtime::use_huge_pages(block_ + ready_, next - ready_);
    ready_ = next;
  }

 private:
  static constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  static constexpr std::size_t large = std::size_t{16} << 20;

  std::byte* block_;
  std::size_t bytes_;
  std::size_t ready_ = 0;
};

}  // namespace acre::csr
