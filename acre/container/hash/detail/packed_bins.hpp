// SPDX-License-Identifier: BSD-3-Clause
// Buffers serialised items, as item_bins.hpp.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/hash/detail/batch_items.hpp>
#include <acre/container/hash/detail/item_bins.hpp>
#include <acre/global/wire/packed_items.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre::container {

/// A bin contains at most `most_bytes_` bytes, or one larger item.
template <class K, class Operand>
class packed_bins {
 public:
  void lay_out(std::uint64_t parts, std::uint64_t part_bytes) {
    const batch_sizes sizes = choose_batches(parts, part_bytes, 1);
    std::vector<bin> made(parts * sizes.bins_per_part);
    bins_ = std::move(made);
    bins_per_part_ = sizes.bins_per_part;
    most_bytes_ = sizes.items;
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return bins_.size(); }
  [[nodiscard]] std::uint64_t bin_of(std::uint64_t hash) const noexcept {
    return base::scale(hash, bins_.size()).whole;
  }

  /// @return false if the bin is full
  /// @throws exceptions of serialisation, without a change
  [[nodiscard]] bool try_add(std::uint64_t to, const K& key, const Operand& operand) {
    bin& into = bins_[to];
    const std::size_t bytes = bytes_of_item(key, operand);
    const std::size_t begin = into.bytes.size();
    const std::size_t end = begin + global::packed_bytes(bytes);
    if (end > most_bytes_ && begin != 0) return false;
    if (begin == 0) into.bytes.reserve(larger(most_bytes_, end));
    into.bytes.resize(end);
    try {
      const auto place = global::begin_item(std::span(into.bytes).subspan(begin), bytes);
      if constexpr (has_operand) {
        write_to(place, key, operand);
      } else {
        write_to(place, key);
      }
    } catch (...) {
      into.bytes.resize(begin);
      throw;
    }
    ++into.items;
    return true;
  }

  [[nodiscard]] std::span<const std::byte> bytes_of(std::uint64_t which) const noexcept {
    return bins_[which].bytes;
  }
  [[nodiscard]] std::uint64_t items_in(std::uint64_t which) const noexcept {
    return bins_[which].items;
  }
  [[nodiscard]] std::uint64_t items_in_all() const noexcept {
    std::uint64_t sum = 0;
    for (const bin& each : bins_) sum += each.items;
    return sum;
  }
  [[nodiscard]] rank_t member_of(std::uint64_t which) const noexcept {
    return static_cast<rank_t>(which / bins_per_part_);
  }
  void clear(std::uint64_t which) noexcept {
    bin& cleared = bins_[which];
    cleared.items = 0;
    if (cleared.bytes.capacity() > 2 * most_bytes_) {
      cleared.bytes = {};
    } else {
      cleared.bytes.clear();
    }
  }

 private:
  static constexpr bool has_operand = !std::is_same_v<Operand, no_operand>;

  struct bin {
    std::vector<std::byte> bytes;
    std::uint64_t items = 0;
  };

  static std::size_t bytes_of_item(const K& key, const Operand& operand) {
    if constexpr (has_operand) {
      return serialized_size(key, operand);
    } else {
      return serialized_size(key);
    }
  }

  std::vector<bin> bins_;
  std::uint64_t bins_per_part_ = 0;
  std::size_t most_bytes_ = 0;
};

template <class K, class Operand>
using batch_bins = std::conditional_t<is_sent_as_bytes<K, Operand>, item_bins<K, Operand>,
                                      packed_bins<K, Operand>>;

}  // namespace acre::container
