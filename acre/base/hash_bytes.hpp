// SPDX-License-Identifier: BSD-3-Clause
// Hash of bytes, equal on all ranks. Not stable across versions: files use checksum.hpp or
// fingerprint.hpp.
#pragma once

#include <acre/base/split_mix.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace acre::base {

[[nodiscard]] inline std::uint64_t hash_bytes(const void* data, std::size_t bytes) noexcept {
  const auto* next = static_cast<const std::byte*>(data);
  std::uint64_t hash = golden_gamma ^ bytes;
  for (; bytes >= 8; bytes -= 8, next += 8) {
    std::uint64_t word;
    std::memcpy(&word, next, 8);
    hash = (hash ^ mix_bits(word)) * 0xd6e8feb86659fd93U;
    hash ^= hash >> 32;
  }
  std::uint64_t rest = 0;
  if (bytes != 0) std::memcpy(&rest, next, bytes);
  return mix_bits(hash ^ rest);
}
[[nodiscard]] inline std::uint64_t hash_bytes(std::string_view text) noexcept {
  return hash_bytes(text.data(), text.size());
}

}  // namespace acre::base
