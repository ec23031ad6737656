// Values as the payload of a message.
#pragma once

#include <acre/global/detail/owned_bytes.hpp>
#include <acre/global/serialization.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace acre::detail {

/// Serialises into memory of the stack when it is small, and hands it on.
template <class Use, class... Values>
void with_payload(Use&& use, const Values&... values) {
  const std::size_t bytes = serialized_size(values...);
  constexpr std::size_t small = 512;
  if (bytes <= small) {
    alignas(payload_alignment) std::array<std::byte, small> buffer;
    write_to(std::span(buffer).first(bytes), values...);
    use(std::span<const std::byte>(buffer.data(), bytes));
  } else {
    const owned_bytes buffer(bytes);
    write_to(buffer.span(), values...);
    use(std::span<const std::byte>(buffer.span()));
  }
}

}  // namespace acre::detail
