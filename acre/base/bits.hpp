// SPDX-License-Identifier: BSD-3-Clause
// Integer arithmetic without the headers `algorithm` and `numeric`.
#pragma once

#include <acre/base/cplusplus.hpp>
#include <acre/base/split_mix.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace acre {

/// Minimum and maximum.
template <std::integral Int>
[[nodiscard]] constexpr Int smaller(Int a, Int b) noexcept {
  return b < a ? b : a;
}
template <std::integral Int>
[[nodiscard]] constexpr Int larger(Int a, Int b) noexcept {
  return a < b ? b : a;
}

/// Returns ⌈value / unit⌉.
template <std::unsigned_integral Int>
[[nodiscard]] constexpr Int divide_up(Int value, Int unit) noexcept {
  return value / unit + (value % unit != 0 ? 1 : 0);
}

/// Rounds up to a multiple of `unit`, a power of two.
template <std::unsigned_integral Int>
[[nodiscard]] constexpr Int round_up(Int value, Int unit) noexcept {
  return (value + unit - 1) & ~(unit - 1);
}

namespace base {

/// Returns count · each, or SIZE_MAX on overflow.
[[nodiscard]] constexpr std::size_t bytes_for(std::size_t count, std::size_t each) noexcept {
  constexpr std::size_t most = ~std::size_t{0};
  return count > most / each ? most : count * each;
}

__extension__ using uint128 = unsigned __int128;

/// Integer and fractional part of fraction / 2^64 · range. The latter is again in units of 2^-64.
struct scaled {
  std::uint64_t whole;
  std::uint64_t fraction;
};
[[nodiscard]] constexpr scaled scale(std::uint64_t fraction, std::uint64_t range) noexcept {
  const uint128 product = uint128{fraction} * range;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

}  // namespace base

}  // namespace acre
