// SPDX-License-Identifier: BSD-3-Clause
// A value of its bytes.
#pragma once

#include <acre/global/wire/detail/roomy.hpp>

#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace acre::global {

/// Accepts any address; T needs no default constructor.
template <class T>
T load_bytes(const std::byte* source) noexcept {
  struct bytes_anywhere {
    std::byte bytes[sizeof(T)];
  };
  if constexpr (is_large<T>) {
    // Directly into the result: a copy would double the stack space.
    return std::bit_cast<T>(*reinterpret_cast<const bytes_anywhere*>(source));
  } else {
    struct alignas(T) storage {
      std::byte bytes[sizeof(T)];
    } copy;
    std::memcpy(copy.bytes, source, sizeof(T));
    // Not every byte is a valid bool.
    if constexpr (std::is_same_v<T, bool>) return copy.bytes[0] != std::byte{0};
    return std::bit_cast<T>(copy);
  }
}

}  // namespace acre::global
