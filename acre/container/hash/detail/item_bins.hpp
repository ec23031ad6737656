// SPDX-License-Identifier: BSD-3-Clause
// Buffers trivially copyable items for full batches: a bin per range of hashes.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/hash/detail/batch_items.hpp>
#include <acre/runtime/world.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre::container {

struct batch_sizes {
  std::uint64_t bins_per_part;
  std::uint64_t items;  ///< per bin; a power of two
};
[[nodiscard]] batch_sizes choose_batches(std::uint64_t parts, std::uint64_t part_bytes,
                                         std::size_t item_bytes);

template <class K, class Operand>
class item_bins {
 public:
  using item = batch_item<K, Operand>;

  void lay_out(std::uint64_t parts, std::uint64_t part_bytes) {
    const batch_sizes sizes = choose_batches(parts, part_bytes, sizeof(item));
    const std::uint64_t bins = parts * sizes.bins_per_part;
    std::vector<std::uint64_t> next(bins);
    for (std::uint64_t bin = 0; bin < bins; ++bin) next[bin] = bin * sizes.items;
    const std::size_t bytes = bins * sizes.items * sizeof(item);
    items_ = is_padded ? std::make_unique<std::byte[]>(bytes)
                       : std::make_unique_for_overwrite<std::byte[]>(bytes);
    next_ = std::move(next);
    bins_per_part_ = sizes.bins_per_part;
    items_shift_ = static_cast<unsigned>(std::countr_zero(sizes.items));
    bins_ = bins;
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return bins_; }
  [[nodiscard]] std::uint64_t bin_of(std::uint64_t hash) const noexcept {
    return base::scale(hash, bins_).whole;
  }

  /// @return false if the bin is full
  [[nodiscard]] bool try_add(std::uint64_t bin, const K& key, const Operand& operand) noexcept {
    if (next_[bin] == (bin + 1) << items_shift_) [[unlikely]] {
      return false;
    }
    const item added = item_of(key, operand);
    std::byte* const to = items_.get() + next_[bin] * sizeof(item);
    if constexpr (is_padded) {
      // Memberwise: the padding, which is sent, stays zero.
      std::memcpy(to + offset_in(added, added.key), &added.key, sizeof(added.key));
      std::memcpy(to + offset_in(added, added.operand), &added.operand, sizeof(added.operand));
    } else {
      std::memcpy(to, &added, sizeof(item));
    }
    ++next_[bin];
    return true;
  }

  [[nodiscard]] std::span<const std::byte> bytes_of(std::uint64_t bin) const noexcept {
    return {items_.get() + (bin << items_shift_) * sizeof(item), items_in(bin) * sizeof(item)};
  }
  [[nodiscard]] std::uint64_t items_in(std::uint64_t bin) const noexcept {
    return next_[bin] - (bin << items_shift_);
  }
  [[nodiscard]] std::uint64_t items_in_all() const noexcept {
    std::uint64_t sum = 0;
    for (std::uint64_t bin = 0; bin < bins_; ++bin) sum += items_in(bin);
    return sum;
  }
  [[nodiscard]] rank_t member_of(std::uint64_t bin) const noexcept {
    return static_cast<rank_t>(bin / bins_per_part_);
  }
  void clear(std::uint64_t bin) noexcept { next_[bin] = bin << items_shift_; }

 private:
  static constexpr bool is_padded =
      !std::is_same_v<Operand, no_operand> && sizeof(item) != sizeof(K) + sizeof(Operand);

  static item item_of(const K& key, const Operand& operand) noexcept {
    if constexpr (std::is_same_v<Operand, no_operand>) {
      return item{key};
    } else {
      return item{key, operand};
    }
  }
  template <class Member>
  [[nodiscard]] static std::size_t offset_in(const item& whole, const Member& part) noexcept {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&part) -
                                    reinterpret_cast<const std::byte*>(&whole));
  }

  std::uint64_t bins_ = 0;
  std::uint64_t bins_per_part_ = 0;
  unsigned items_shift_ = 0;
  std::unique_ptr<std::byte[]> items_;
  std::vector<std::uint64_t> next_;
};

}  // namespace acre::container
