// SPDX-License-Identifier: BSD-3-Clause
// Items of bytes, packed into one message.
#pragma once

#include <acre/global/wire/detail/reader.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace acre::global {

/// Each item: its size in bytes in a 64-bit word, then its bytes, padded to whole words.
using packed_items = std::vector<std::uint64_t>;

[[nodiscard]] inline std::size_t packed_words(std::size_t item_bytes) noexcept {
  return 1 + (item_bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
}

inline void pack(std::span<const std::byte> head, std::span<const std::byte> body,
                 packed_items& into) {
  const std::size_t at = into.size();
  const std::size_t bytes = head.size() + body.size();
  into.resize(at + packed_words(bytes));
  into[at] = bytes;
  auto* const place = reinterpret_cast<std::byte*>(&into[at + 1]);
  if (!head.empty()) std::memcpy(place, head.data(), head.size());
  if (!body.empty()) std::memcpy(place + head.size(), body.data(), body.size());
}

/// Calls use(bytes) for each item, in order.
/// @throws acre::error if an item exceeds `packed`, after use() of the earlier items
template <class Use>
void for_each_item(std::span<const std::byte> packed, Use&& use) {
  for (reader from(packed); from.remaining() != 0;) {
    const std::size_t bytes = from.read_count(1);
    const std::span<const std::byte> item(from.take(bytes), bytes);
    from.skip_padding(sizeof(std::uint64_t));
    use(item);
  }
}

}  // namespace acre::global
