// SPDX-License-Identifier: BSD-3-Clause
// Mixing the bits of words: for hashes, and for numbers that look random and are a function of
// their place, the same in whatever order and on whatever rank they are computed.
#pragma once

#include <cstdint>

namespace acre {

/// 2^64 divided by the golden ratio: the increment of SplitMix64; and the factor of Fibonacci
/// hashing (Knuth, The Art of Computer Programming 3, 6.4), which takes the upper bits of a
/// product.
inline constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15U;

/// Spreads the bits of a word so that any of them may be used as a hash
/// (the finaliser of SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t x) noexcept {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebU;
  x ^= x >> 31;
  return x;
}

/// A step of SplitMix64 from a state: the number that it gives.
[[nodiscard]] constexpr std::uint64_t split_mix(std::uint64_t state) noexcept {
  return mix_bits(state + golden_gamma);
}

/// Number i of those that SplitMix64 gives from a seed.
[[nodiscard]] constexpr std::uint64_t split_mix(std::uint64_t seed, std::uint64_t i) noexcept {
  return split_mix(seed + i * golden_gamma);
}

}  // namespace acre
