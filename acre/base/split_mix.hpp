// Numbers that look random and are a function of their place: whoever asks for the same one gets
// the same, in whatever order and on whatever rank.
#pragma once

#include <acre/base/bits.hpp>

#include <cstdint>

namespace acre {

/// A step of SplitMix64 from a state: the number that it gives (Steele, Lea, Flood, OOPSLA 2014).
[[nodiscard]] constexpr std::uint64_t split_mix(std::uint64_t state) noexcept {
  return mix_bits(state + 0x9e3779b97f4a7c15U);
}

}  // namespace acre
