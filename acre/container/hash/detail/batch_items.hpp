// SPDX-License-Identifier: BSD-3-Clause
// Items of buffered writers: trivially copyable ones bytewise, others as packed items
// (global/wire/packed_items.hpp).
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/hash/buffered_rules.hpp>
#include <acre/global/memory/direct_access.hpp>
#include <acre/global/wire/packed_items.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/global/wire/transferable.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace acre::container {

template <class K, class Operand>
struct batch_item {
  K key;
  Operand operand;
};
template <class K>
struct batch_item<K, no_operand> {
  K key;
  static constexpr no_operand operand{};
};

template <class K, class Operand>
inline constexpr bool is_sent_as_bytes = transferable<K> && transferable<Operand>;

/// At any alignment, in chunks.
template <class K, class Operand>
class copied_items {
 public:
  using item = batch_item<K, Operand>;
  static constexpr std::size_t chunk = 128;

  explicit copied_items(std::span<const std::byte> bytes) noexcept : left_(bytes) {}

  /// @return number of items, 0 at the end
  [[nodiscard]] std::size_t next_chunk() noexcept {
    left_ = left_.subspan(count_ * sizeof(item));
    count_ = smaller(left_.size() / sizeof(item), chunk);
    return count_;
  }
  [[nodiscard]] item operator[](std::size_t i) const noexcept {
    return global::load_bytes<item>(bytes_of(i).data());
  }
  [[nodiscard]] std::span<const std::byte> bytes_of(std::size_t i) const noexcept {
    return left_.subspan(i * sizeof(item), sizeof(item));
  }

  [[nodiscard]] static std::uint64_t count(std::span<const std::byte> bytes) noexcept {
    return bytes.size() / sizeof(item);
  }

 private:
  std::span<const std::byte> left_;
  std::size_t count_ = 0;
};

/// Deserialised at their first use.
template <class K, class Operand>
class serialised_items {
 public:
  using item = batch_item<K, Operand>;
  static constexpr std::size_t chunk =
      smaller<std::size_t>(128, 1 + (std::size_t{1} << 16) / sizeof(item));

  explicit serialised_items(std::span<const std::byte> bytes) : left_(bytes), items_(chunk) {}

  /// @throws acre::error if the bytes are invalid
  [[nodiscard]] std::size_t next_chunk() {
    std::size_t count = 0;
    for (; count != chunk && !left_.empty(); ++count) {
      bytes_[count] = global::first_item(left_).whole;
      left_ = left_.subspan(bytes_[count].size());
      items_[count].reset();
    }
    return count;
  }
  /// @throws acre::error if the item is invalid; exceptions of its type
  [[nodiscard]] const item& operator[](std::size_t i) {
    std::optional<item>& made = items_[i];
    if (!made) made.emplace(read(global::first_item(bytes_[i]).bytes));
    return *made;
  }
  [[nodiscard]] std::span<const std::byte> bytes_of(std::size_t i) const noexcept {
    return bytes_[i];
  }

  /// @throws acre::error if the bytes are invalid
  [[nodiscard]] static std::uint64_t count(std::span<const std::byte> bytes) {
    std::uint64_t items = 0;
    global::for_each_item(bytes, [&](std::span<const std::byte>) { ++items; });
    return items;
  }

 private:
  static item read(std::span<const std::byte> bytes) {
    reader from(bytes);
    if constexpr (std::is_same_v<Operand, no_operand>) {
      return item{from.read<K>()};
    } else {
      return item{from.read<K>(), from.read<Operand>()};
    }
  }

  std::span<const std::byte> left_;
  std::array<std::span<const std::byte>, chunk> bytes_;
  std::vector<std::optional<item>> items_;
};

template <class K, class Operand>
using batch_items = std::conditional_t<is_sent_as_bytes<K, Operand>, copied_items<K, Operand>,
                                       serialised_items<K, Operand>>;

}  // namespace acre::container
