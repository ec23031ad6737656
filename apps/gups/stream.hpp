// SPDX-License-Identifier: BSD-3-Clause
// RandomAccess number stream: powers of x modulo x^64 + x^2 + x + 1 over GF(2).
#pragma once

#include <cstdint>

namespace acre::gups {

[[nodiscard]] constexpr std::uint64_t next(std::uint64_t power) noexcept {
  return power << 1 ^ (power >> 63 != 0 ? 7U : 0U);
}

[[nodiscard]] constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t sum = 0;
  for (; b != 0; b >>= 1, a = next(a)) sum ^= (b & 1) != 0 ? a : 0;
  return sum;
}

/// Number n of the stream, which starts with 1.
[[nodiscard]] constexpr std::uint64_t number_at(std::uint64_t n) noexcept {
  std::uint64_t result = 1;
  for (std::uint64_t square = 2; n != 0; n >>= 1, square = product(square, square)) {
    if ((n & 1) != 0) result = product(result, square);
  }
  return result;
}
static_assert(number_at(0) == 1 && number_at(1) == 2 && number_at(63) == std::uint64_t{1} << 63);
static_assert(number_at(64) == 7 && next(number_at(1000)) == number_at(1001));

}  // namespace acre::gups
