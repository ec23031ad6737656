// SPDX-License-Identifier: BSD-3-Clause
// Bits of floats and doubles.
#pragma once

#include <cstdint>
#include <type_traits>

namespace acre::base {

/// Finite numbers are integers of `precision` bits, shifted by their exponent field.
template <class T>
struct number_format {
  using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  static constexpr int precision = sizeof(T) == 8 ? 53 : 24;
  static constexpr int max_exponent = sizeof(T) == 8 ? 1024 : 128;
  static constexpr int lowest = 3 - max_exponent - precision;
  /// Exponent field of infinities and NaNs.
  static constexpr unsigned special = unsigned{max_exponent} * 2 - 1;
  static constexpr bits sign = bits{1} << (sizeof(T) * 8 - 1);
  static constexpr bits hidden = bits{1} << (precision - 1);

  static constexpr T infinity = __builtin_bit_cast(T, bits{special} << (precision - 1));
  static constexpr T nan = __builtin_bit_cast(T, bits{special} << (precision - 1) | hidden >> 1);

  [[nodiscard]] static constexpr unsigned exponent_field(bits x) noexcept {
    return static_cast<unsigned>((x & ~sign) >> (precision - 1));
  }
};

}  // namespace acre::base
