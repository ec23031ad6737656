// SPDX-License-Identifier: BSD-3-Clause
// Exact sums of numbers with very different exponents: an integer per sign and exponent.
//
// An addition depends on the previous one only if both have the same exponent. Source: Neal,
// 2015 (large superaccumulator).
#pragma once

#include <acre/base/number_format.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::base {

/// 40 KiB (float: 5 KiB). sum.add_integer(i, p) adds i * 2^p units of the least positive number.
template <class T>
class exponent_bins {
  using format = number_format<T>;

  /// Values of the exponent field.
  static constexpr std::size_t fields = std::size_t{format::special} + 1;
  /// Fractions that 64 bits can sum.
  static constexpr int capacity = 1 << std::min(15, 65 - format::precision);

 public:
  /// For fewer numbers, single additions are faster.
  static constexpr std::size_t least = fields;

  struct special_kinds {
    bool infinity = false;
    bool minus_infinity = false;
    bool nan = false;
  };

  /// @param values  representable in T
  template <class U, class Sum>
  void add(std::span<const U> values, Sum& sum) noexcept {
    for (const U x : values) {
      const auto bits = std::bit_cast<typename format::bits>(static_cast<T>(x));
      const std::size_t bin = bits >> (format::precision - 1);
      sums_[bin] += bits & (format::hidden - 1);
      if (++counts_[bin] == capacity) [[unlikely]]
        empty(bin, sum);
    }
  }

  /// Adds all bins, once. @return kinds of the numbers that are not finite
  template <class Sum>
  [[nodiscard]] special_kinds finish(Sum& sum) const noexcept {
    constexpr std::size_t group = 16;
    constexpr std::size_t positions = format::special - 1;
    for (std::size_t position = 0; position < positions; position += group) {
      parts all;
      for (std::size_t i = std::min(group, positions - position); i > 0; --i) {
        all.low *= 2;
        all.high *= 2;
        all += both_signs(position + i);
      }
      if (position == 0) all += both_signs(0);  // subnormal numbers
      all.give_to(sum, position);
    }
    special_kinds kinds = kinds_;
    note(format::special, kinds);
    note(fields + format::special, kinds);
    return kinds;
  }

 private:
  /// low + high * 2^20. A bin has 44 bits above 2^20, and a hidden bit more, so that sums of 16
  /// bins of both signs, shifted by up to 15, fit.
  struct parts {
    static constexpr int low_bits = 20;
    std::int64_t low = 0;
    std::int64_t high = 0;

    parts& operator+=(const parts& other) noexcept {
      low += other.low;
      high += other.high;
      return *this;
    }
    template <class Sum>
    void give_to(Sum& sum, std::size_t position) const noexcept {
      sum.add_integer(low, static_cast<unsigned>(position));
      sum.add_integer(high, static_cast<unsigned>(position) + low_bits);
    }
  };

  [[nodiscard]] parts sum_of(std::size_t bin) const noexcept {
    const std::uint64_t fractions = sums_[bin];
    const std::int64_t hidden = bin % fields == 0 ? 0 : format::hidden >> parts::low_bits;
    return {static_cast<std::int64_t>(fractions & ((std::uint64_t{1} << parts::low_bits) - 1)),
            static_cast<std::int64_t>(fractions >> parts::low_bits) + counts_[bin] * hidden};
  }
  [[nodiscard]] parts both_signs(std::size_t field) const noexcept {
    const parts plus = sum_of(field);
    const parts minus = sum_of(fields + field);
    return {plus.low - minus.low, plus.high - minus.high};
  }

  template <class Sum>
  [[gnu::noinline]] void empty(std::size_t bin, Sum& sum) noexcept {
    const std::size_t field = bin % fields;
    if (field == format::special) {
      note(bin, kinds_);
    } else {
      const parts all = sum_of(bin);
      const parts signed_all = bin < fields ? all : parts{-all.low, -all.high};
      signed_all.give_to(sum, std::max<std::size_t>(field, 1) - 1);
    }
    sums_[bin] = 0;
    counts_[bin] = 0;
  }

  void note(std::size_t bin, special_kinds& kinds) const noexcept {
    if (counts_[bin] == 0) return;
    if (sums_[bin] != 0) {
      kinds.nan = true;
    } else {
      (bin < fields ? kinds.infinity : kinds.minus_infinity) = true;
    }
  }

  std::uint64_t sums_[2 * fields] = {};  ///< fractions; a set sign bit is the second half
  std::uint16_t counts_[2 * fields] = {};
  special_kinds kinds_;
};

}  // namespace acre::base
