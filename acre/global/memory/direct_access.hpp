// SPDX-License-Identifier: BSD-3-Clause
// Accesses to memory shared with other processes, never kept in a register: single instructions for
// naturally aligned types of 1, 2, 4 and 8 bytes, else memcpy, which may be torn.
#pragma once

#include <acre/base/word_of_size.hpp>
#include <acre/global/wire/detail/load_bytes.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace acre::global {

using base::word_of_size;

template <class T>
inline constexpr bool is_word = std::has_single_bit(sizeof(T)) && sizeof(T) <= 8 &&
                                alignof(T) == sizeof(T) && std::is_trivially_copyable_v<T>;

/// The bytes of `value` as a 64-bit word; smaller values are in the low bytes (little-endian).
template <class T>
  requires is_word<T>
[[nodiscard]] std::uint64_t to_word(const T& value) noexcept {
  return std::bit_cast<typename word_of_size<sizeof(T)>::type>(value);
}

template <class T>
void store_direct(std::byte* target, const T& value) noexcept {
  if constexpr (is_word<T>) {
    using word = typename word_of_size<sizeof(T)>::type;
    __atomic_store_n(reinterpret_cast<word*>(target), std::bit_cast<word>(value), __ATOMIC_RELAXED);
  } else {
    std::memcpy(target, &value, sizeof(T));
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
}

template <class T>
[[nodiscard]] T load_direct(const std::byte* source) noexcept {
  if constexpr (is_word<T>) {
    using word = typename word_of_size<sizeof(T)>::type;
    return std::bit_cast<T>(
        __atomic_load_n(reinterpret_cast<const word*>(source), __ATOMIC_RELAXED));
  } else {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if constexpr (is_large<T> || !std::is_trivially_default_constructible_v<T>) {
      return load_bytes<T>(source);
    } else {
      T value;
      std::memcpy(&value, source, sizeof(T));
      return value;
    }
  }
}

}  // namespace acre::global
