// SPDX-License-Identifier: BSD-3-Clause
// Items of bytes, packed into one message.
#pragma once

#include <acre/global/wire/detail/reader.hpp>
#include <acre/global/wire/owned_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
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

/// Size of an item of `item_bytes` bytes in a message.
[[nodiscard]] inline std::size_t packed_bytes(std::size_t item_bytes) noexcept {
  return packed_words(item_bytes) * sizeof(std::uint64_t);
}

/// Begins an item at the front of `place`, whose packed_bytes(item_bytes) bytes are zero.
/// @return place of the item's bytes
[[nodiscard]] inline std::span<std::byte> begin_item(std::span<std::byte> place,
                                                     std::uint64_t item_bytes) noexcept {
  std::memcpy(place.data(), &item_bytes, sizeof(item_bytes));
  return place.subspan(sizeof(item_bytes), item_bytes);
}

/// Copies of texts as items. l.
[[nodiscard]] inline owned_bytes packed_texts(std::span<const std::string_view> texts) {
  std::size_t bytes = 0;
  for (const std::string_view text : texts) bytes += packed_bytes(text.size());
  owned_bytes packed(bytes);
  std::span<std::byte> rest = packed.span();
  for (const std::string_view text : texts) {
    const std::size_t whole = packed_bytes(text.size());
    if (!text.empty()) std::memset(rest.data() + whole - sizeof(std::uint64_t), 0, 8);
    const std::span<std::byte> place = begin_item(rest, text.size());
    if (!text.empty()) std::memcpy(place.data(), text.data(), text.size());
    rest = rest.subspan(whole);
  }
  return packed;
}

struct packed_item {
  std::span<const std::byte> whole;  ///< with size and padding
  std::span<const std::byte> bytes;
};
/// @throws acre::error if the item exceeds `packed`
[[nodiscard]] inline packed_item first_item(std::span<const std::byte> packed) {
  reader from(packed);
  const std::size_t bytes = from.read_count(1);
  const std::span<const std::byte> item(from.take(bytes), bytes);
  from.skip_padding(sizeof(std::uint64_t));
  return {.whole = packed.first(packed.size() - from.remaining()), .bytes = item};
}

/// Calls use(bytes) for each item, in order.
/// @throws acre::error if an item exceeds `packed`, after use() of the earlier items
template <class Use>
void for_each_item(std::span<const std::byte> packed, Use&& use) {
  while (!packed.empty()) {
    const packed_item item = first_item(packed);
    packed = packed.subspan(item.whole.size());
    use(item.bytes);
  }
}

}  // namespace acre::global
