// SPDX-License-Identifier: BSD-3-Clause
// Serialises values as the payload of a message.
#pragma once

#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/payload_block.hpp>
#include <acre/runtime/pooled_bytes.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace acre::global {

/// Calls use(bytes) with the serialised values, on the stack if small.
template <class Use, class... Values>
void with_payload(Use&& use, const Values&... values) {
  const std::size_t bytes = serialized_size(values...);
  constexpr std::size_t small = 512;
  if (bytes <= small) {
    alignas(payload_alignment) std::array<std::byte, small> buffer;
    write_to(std::span(buffer).first(bytes), values...);
    use(std::span<const std::byte>(buffer.data(), bytes));
  } else {
    const runtime::pooled_bytes buffer(bytes);
    write_to(buffer.span(), values...);
    use(std::span<const std::byte>(buffer.span()));
  }
}

/// As above, for a message to `target`; larger values in a block shared with that rank if possible.
/// @param use  receives the bytes, or the payload_block that contains them
template <class Use, class... Values>
void with_payload_for(rank_t target, Use&& use, const Values&... values) {
  const std::size_t bytes = serialized_size(values...);
  constexpr std::size_t small = 256;
  if (bytes <= small) {
    alignas(payload_alignment) std::array<std::byte, small> buffer;
    write_to(std::span(buffer).first(bytes), values...);
    use(std::span<const std::byte>(buffer.data(), bytes));
    return;
  }
  runtime::payload_block block(target, bytes);
  const runtime::pooled_bytes elsewhere(block.has_place() ? 0 : bytes);
  const std::span<std::byte> place = block.has_place() ? block.place() : elsewhere.span();
  write_to(place, values...);
  if (block.has_place()) return use(block);
  use(std::span<const std::byte>(place));
}

}  // namespace acre::global
