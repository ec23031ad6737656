// SPDX-License-Identifier: BSD-3-Clause
// Buffered items that their owner refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace acre::container {

template <class Items>
class refused_items {
 public:
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// Terminates if out of memory: the batch is partly applied.
  void add(std::span<const std::byte> items) noexcept {
    bytes_.insert(bytes_.end(), items.begin(), items.end());
    size_ += Items::count(items);
  }
  void clear() noexcept {
    bytes_.clear();
    size_ = 0;
  }

  /// Calls push(item), which may add items.
  /// @throws exceptions of push(); that item and later ones remain
  template <class Push>
  void retry(Push&& push) {
    const std::vector<std::byte> bytes = std::exchange(bytes_, {});
    size_ = 0;
    std::size_t tried = 0;
    try {
      Items items(bytes);
      while (const std::size_t end = items.next_chunk()) {
        for (std::size_t i = 0; i < end; ++i) {
          push(items[i]);
          tried += items.bytes_of(i).size();
        }
      }
    } catch (...) {
      const std::vector<std::byte> added = std::exchange(bytes_, {});
      clear();
      add(std::span(bytes).subspan(tried));
      add(added);
      throw;
    }
  }

 private:
  std::vector<std::byte> bytes_;
  std::uint64_t size_ = 0;
};

}  // namespace acre::container
