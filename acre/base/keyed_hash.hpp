// SPDX-License-Identifier: BSD-3-Clause
// SipHash-2-4 (Aumasson, Bernstein, INDOCRYPT 2012) of 64-bit words, to authenticate senders: about
// 200 instructions for four words.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace acre {

struct secret_key {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const secret_key&, const secret_key&) = default;
};

/// Draws a random key from the kernel.
[[nodiscard]] secret_key draw_secret();

namespace base {

struct sip_state {
  std::uint64_t v0, v1, v2, v3;

  constexpr void round() noexcept {
    v0 += v1;
    v2 += v3;
    v1 = std::rotl(v1, 13) ^ v0;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 = std::rotl(v0, 32) + v3;
    v2 += v1;
    v3 = std::rotl(v3, 21) ^ v0;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }
  constexpr void absorb(std::uint64_t word) noexcept {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
};

}  // namespace base

/// Equals SipHash of the little-endian bytes.
template <std::size_t Words>
[[nodiscard]] constexpr std::uint64_t keyed_hash(
    const secret_key& key, const std::array<std::uint64_t, Words>& words) noexcept {
  base::sip_state state{.v0 = key.low ^ 0x736f6d6570736575U,
                        .v1 = key.high ^ 0x646f72616e646f6dU,
                        .v2 = key.low ^ 0x6c7967656e657261U,
                        .v3 = key.high ^ 0x7465646279746573U};
  for (const std::uint64_t word : words) state.absorb(word);
  state.absorb(std::uint64_t{Words * sizeof(std::uint64_t)} << 56);
  state.v2 ^= 0xff;
  for (int i = 0; i < 4; ++i) state.round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

/// Keys for different uses are independent.
enum class key_purpose : std::uint64_t { regions = 1, messages, memory_of_node, links };

[[nodiscard]] constexpr secret_key derive_key(const secret_key& from,
                                              key_purpose purpose) noexcept {
  const auto number = static_cast<std::uint64_t>(purpose);
  return {keyed_hash<2>(from, {number, 0}), keyed_hash<2>(from, {number, 1})};
}

}  // namespace acre
