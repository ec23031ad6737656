// SPDX-License-Identifier: BSD-3-Clause
// Messages whose body resides in a block of the sender (fabric/smp_blocks.hpp).
#pragma once

#include <acre/fabric/smp_blocks.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/rank_box.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace acre::runtime {

/// Header flag of a message that only names its body by two words: its offset, and the first word
/// of its header.
inline constexpr std::uint16_t body_in_block = 1;
inline constexpr std::size_t words_of_body = 2;

/// Maximum payload of a message in ring cells.
inline constexpr std::size_t most_in_cells = 256;

/// Bytes before the payload in a block: space for most arguments, up to the next cache line.
inline constexpr std::size_t bytes_before_payload = fabric::smp_blocks::bytes_to_second_line;

/// A body in the block of a rank of this node. give_back() returns the block once copied or run.
class borrowed_body {
 public:
  borrowed_body(const fabric::message_header& header, const word* words) noexcept
      : body_(box_of(header.source).blocks.body_at(words[0])), header_(header) {
    std::memcpy(static_cast<void*>(&header_), &words[1], sizeof(word));
  }
  [[nodiscard]] static bool lies_in_blocks(const word* words) noexcept {
    fabric::message_header header;
    std::memcpy(static_cast<void*>(&header), &words[1], sizeof(word));
    const std::size_t bytes = header.argument_count * sizeof(word) + header.payload_bytes;
    return words[0] < sizeof(fabric::smp_blocks) && words[0] % sizeof(word) == 0 &&
           bytes <= sizeof(fabric::smp_blocks) - words[0];
  }
  void give_back() const noexcept { fabric::smp_blocks::give_back(body_); }
  [[nodiscard]] message view() const noexcept {
    const auto* arguments = reinterpret_cast<const word*>(body_);
    return {.header = header_,
            .arguments = {arguments, header_.argument_count},
            .payload = {body_ + header_.argument_count * sizeof(word), header_.payload_bytes}};
  }

 private:
  const std::byte* body_;
  fabric::message_header header_;
};

}  // namespace acre::runtime
