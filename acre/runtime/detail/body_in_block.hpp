// SPDX-License-Identifier: BSD-3-Clause
// A message whose body lies in a block of its sender's (fabric/smp_blocks.hpp): what goes through
// the ring instead, and the body as its receiver borrows it. Private to the runtime.
#pragma once

#include <acre/fabric/smp_blocks.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/rank_box.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace acre::runtime {

/// In the header of a message in a ring. The words of that message are where the body lies, and the
/// first word of the header that it stands for.
inline constexpr std::uint16_t body_in_block = 1;
inline constexpr std::size_t words_of_body = 2;

/// Payloads up to this size travel in the ring's cells, and are run from a copy on the stack.
inline constexpr std::size_t most_in_cells = 256;

/// In a block, for arguments, of which most messages have no more: so the payload begins a line,
/// and a copy of it writes no line twice.
inline constexpr std::size_t bytes_before_payload = fabric::smp_blocks::bytes_to_second_line;

/// A body in a block of a neighbour's. It is given back by who has taken the message: one that
/// could not be taken stays in the ring, and the block is its body still when it comes again.
class borrowed_body {
 public:
  borrowed_body(const fabric::message_header& header, const word* words) noexcept
      : body_(box_of(header.source).blocks.body_at(words[0])), header_(header) {
    std::memcpy(static_cast<void*>(&header_), &words[1], sizeof(word));
  }
  /// Whether all of what these words name lies in the blocks of a rank.
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
