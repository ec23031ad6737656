// SPDX-License-Identifier: BSD-3-Clause
// Bit mixing, for hashes and for random numbers that depend only on their index.
#pragma once

#include <cstdint>

namespace acre {

/// 2^64 / golden ratio: increment of SplitMix64, and factor of Fibonacci hashing (Knuth, TAOCP 3,
/// 6.4).
inline constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15U;

/// Finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): any bits may serve as hash.
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t x) noexcept {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebU;
  x ^= x >> 31;
  return x;
}

[[nodiscard]] constexpr std::uint64_t split_mix(std::uint64_t state) noexcept {
  return mix_bits(state + golden_gamma);
}

/// Element i of the sequence that starts from `seed`.
[[nodiscard]] constexpr std::uint64_t split_mix(std::uint64_t seed, std::uint64_t i) noexcept {
  return split_mix(seed + i * golden_gamma);
}

}  // namespace acre
