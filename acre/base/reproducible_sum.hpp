// SPDX-License-Identifier: BSD-3-Clause
// Exact sums of floating-point numbers: the same bits in any order and grouping.
//
//     acre::reproducible_sum<double> sum;
//     sum.add(own_values);
//     const double all = acre::world().allreduce(sum).value();
//
// An integer in units of the least positive number: integer addition is associative. Digits of 32
// bits are in words of 64 bits.
#pragma once

#include <acre/base/complex_number.hpp>
#include <acre/base/number_format.hpp>
#include <acre/base/unique_object.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace acre {

template <class T>
concept reproducible_real = std::same_as<T, float> || std::same_as<T, double>;
template <class T>
concept reproducible_addend =
    reproducible_real<T> ||
    (base::is_complex<T> && reproducible_real<typename base::part_of_number<T>::type>);

template <reproducible_addend T>
class reproducible_sum;

namespace base {

template <class T>
class exponent_bins;
enum class block_outcome : unsigned char;

/// Adds many numbers to a sum, which is complete after the destructor.
template <class T>
class block_addition {
 public:
  explicit block_addition(reproducible_sum<T>& sum) noexcept;
  ~block_addition();
  block_addition(const block_addition&) = delete;
  block_addition& operator=(const block_addition&) = delete;

  /// Cost: l, as reading them.
  void add(std::span<const T> values) noexcept;

 private:
  template <class U>
  [[nodiscard]] block_outcome add_parts(const U* values, std::size_t groups,
                                        double* rests) noexcept;
  template <class U>
  void add_left(std::span<const U> left, std::size_t following) noexcept;
  template <class U>
  void add_singly(std::span<const U> values) noexcept;
  void note_kinds(std::span<const T> values) noexcept;

  reproducible_sum<T>& sum_;
  unique_object<exponent_bins<T>> bins_;
  std::size_t for_bins_ = 0;  ///< of the next numbers
  std::size_t singly_added_ = 0;
};

}  // namespace base

/// Exact sum of up to 2^60 numbers; a trivially copyable value of 552 bytes (float: 96).
///
/// value() rounds once to nearest, ties to even. Partial sums do not overflow; subnormal numbers
/// are exact. A NaN, or infinities of both signs, yield a quiet NaN; infinities of one sign, or an
/// exact sum beyond the largest number, infinity of that sign. Zero is +0, unless all addends are
/// -0. Requires rounding to nearest, with subnormals.
/// Sources: R. M. Neal, Fast exact summation using small and large superaccumulators, 2015
/// (digits); S. M. Rump, T. Ogita, S. Oishi, Accurate floating-point summation part I, 2008,
/// algorithm 3.3 (extraction from vectors).
template <reproducible_addend T>
class reproducible_sum {
  using format = base::number_format<T>;

 public:
  using value_type = T;

  constexpr reproducible_sum() = default;
  explicit constexpr reproducible_sum(T x) noexcept { add(x); }

  /// Cost: l, a few nanoseconds.
  constexpr void add(T x) noexcept {
    const auto bits = __builtin_bit_cast(typename format::bits, x);
    const bool is_negative = (bits & format::sign) != 0;
    const unsigned field = format::exponent_field(bits);
    const auto fraction = static_cast<std::int64_t>(bits & (format::hidden - 1));
    if (field == format::special) {
      seen_ |= fraction != 0 ? seen_nan : is_negative ? seen_minus_infinity : seen_infinity;
      return;
    }
    seen_ |= bits == format::sign ? seen_minus_zero : seen_other;
    const std::int64_t integer = field == 0 ? fraction : fraction | std::int64_t{format::hidden};
    const std::int64_t sign = -std::int64_t{is_negative};  // branches on signs are mispredicted
    add_integer((integer ^ sign) - sign, field == 0 ? 0 : field - 1);
  }
  /// Cost: l, as reading them.
  void add(std::span<const T> values) noexcept { base::block_addition<T>(*this).add(values); }
  constexpr reproducible_sum& operator+=(T x) noexcept {
    add(x);
    return *this;
  }

  /// Cost: l, some ten nanoseconds.
  constexpr reproducible_sum& operator+=(const reproducible_sum& other) noexcept {
    for (std::size_t i = 0; i < digits; ++i) digits_[i] += other.digits_[i];
    seen_ |= other.seen_;
    additions_ += other.additions_;
    if (additions_ >= most_additions) carry();
    return *this;
  }
  friend constexpr reproducible_sum operator+(reproducible_sum a,
                                              const reproducible_sum& b) noexcept {
    return a += b;
  }

  /// Cost: l, some ten nanoseconds.
  [[nodiscard]] constexpr T value() const noexcept {
    constexpr std::uint32_t both = seen_infinity | seen_minus_infinity;
    if ((seen_ & seen_nan) != 0 || (seen_ & both) == both) return format::nan;
    if ((seen_ & both) != 0) {
      return (seen_ & seen_infinity) != 0 ? format::infinity : -format::infinity;
    }
    reproducible_sum magnitude = *this;
    magnitude.carry();
    const bool is_negative = magnitude.digits_[digits - 1] < 0;
    if (is_negative) magnitude.negate();
    const T rounded = magnitude.rounded();
    const bool is_minus_zero = rounded == 0 && seen_ == seen_minus_zero;
    return is_negative || is_minus_zero ? -rounded : rounded;
  }

 private:
  friend class base::block_addition<T>;
  friend class base::exponent_bins<T>;

  static constexpr std::uint32_t seen_minus_zero = 1;
  static constexpr std::uint32_t seen_other = 2;  ///< a finite number that is not -0
  static constexpr std::uint32_t seen_infinity = 4;
  static constexpr std::uint32_t seen_minus_infinity = 8;
  static constexpr std::uint32_t seen_nan = 16;

  static constexpr int digit_bits = 32;
  static constexpr std::int64_t digit_mask = (std::int64_t{1} << digit_bits) - 1;
  /// Bits of the largest number, and 64 for carries.
  static constexpr std::size_t digits =
      (format::max_exponent - format::lowest + 64 + digit_bits - 1) / digit_bits;
  /// Each addition is below 2^32, so that 2^30 of them, and another sum's, do not overflow.
  static constexpr std::uint32_t most_additions = std::uint32_t{1} << 30;

  constexpr void add_integer(std::int64_t x, unsigned position) noexcept {
    const std::size_t first = position / digit_bits;
    const unsigned shift = position % digit_bits;
    const auto low = (static_cast<std::uint64_t>(x) << shift) & std::uint64_t{digit_mask};
    const std::int64_t rest = x >> (digit_bits - shift);
    digits_[first] += static_cast<std::int64_t>(low);
    digits_[first + 1] += rest & digit_mask;
    digits_[first + 2] += rest >> digit_bits;
    if (++additions_ == most_additions) carry();
  }

  /// Makes digits, except the signed last one, less than 2^32 and not negative.
  constexpr void carry() noexcept {
    std::int64_t carried = 0;
    for (std::size_t i = 0; i + 1 < digits; ++i) {
      const std::int64_t digit = digits_[i] + carried;
      digits_[i] = digit & digit_mask;
      carried = digit >> digit_bits;
    }
    digits_[digits - 1] += carried;
    additions_ = 1;
  }

  constexpr void negate() noexcept {
    for (std::int64_t& digit : digits_) digit = -digit;
    carry();
  }

  /// Bits `position` to `position` + 63 of a carried sum.
  [[nodiscard]] constexpr std::uint64_t bits_from(std::size_t position) const noexcept {
    const std::size_t first = position / digit_bits;
    const unsigned shift = position % digit_bits;
    const auto digit = [&](std::size_t i) {
      return i < digits ? static_cast<std::uint64_t>(digits_[i]) : 0;
    };
    const std::uint64_t low = digit(first) | digit(first + 1) << digit_bits;
    return shift == 0 ? low : low >> shift | digit(first + 2) << (64 - shift);
  }

  [[nodiscard]] constexpr bool has_bits_below(std::size_t position) const noexcept {
    const std::size_t first = position / digit_bits;
    for (std::size_t i = 0; i < first; ++i) {
      if (digits_[i] != 0) return true;
    }
    return (digits_[first] & ((std::int64_t{1} << (position % digit_bits)) - 1)) != 0;
  }

  [[nodiscard]] constexpr T rounded() const noexcept {
    std::size_t used = digits;
    while (used > 0 && digits_[used - 1] == 0) --used;
    if (used == 0) return T{0};
    const std::size_t width =
        (used - 1) * digit_bits + 64 -
        static_cast<std::size_t>(__builtin_clzll(static_cast<std::uint64_t>(digits_[used - 1])));
    constexpr std::size_t precision = format::precision;
    // Dropped bits: the exponent field, minus 1 for normal numbers.
    const std::size_t dropped = width > precision ? width - precision : 0;
    std::uint64_t kept = bits_from(dropped) & (2 * std::uint64_t{format::hidden} - 1);
    if (dropped > 0 && (bits_from(dropped - 1) & 1) != 0 &&
        ((kept & 1) != 0 || has_bits_below(dropped - 1))) {
      ++kept;
    }
    const std::uint64_t all = (std::uint64_t{dropped} << (precision - 1)) + kept;
    if (all >> (precision - 1) >= format::special) return format::infinity;
    return __builtin_bit_cast(T, static_cast<typename format::bits>(all));
  }

  std::int64_t digits_[digits]{};
  std::uint32_t additions_ = 0;  ///< since the last carry
  std::uint32_t seen_ = 0;
};

template <reproducible_addend T>
  requires base::is_complex<T>
class reproducible_sum<T> {
  using part = typename T::value_type;

 public:
  using value_type = T;

  constexpr reproducible_sum() = default;
  explicit constexpr reproducible_sum(const T& x) noexcept { add(x); }

  constexpr void add(const T& x) noexcept {
    real_.add(x.real());
    imaginary_.add(x.imag());
  }
  void add(std::span<const T> values) noexcept { base::block_addition<T>(*this).add(values); }
  constexpr reproducible_sum& operator+=(const T& x) noexcept {
    add(x);
    return *this;
  }
  constexpr reproducible_sum& operator+=(const reproducible_sum& other) noexcept {
    real_ += other.real_;
    imaginary_ += other.imaginary_;
    return *this;
  }
  friend constexpr reproducible_sum operator+(reproducible_sum a,
                                              const reproducible_sum& b) noexcept {
    return a += b;
  }

  [[nodiscard]] constexpr T value() const noexcept { return {real_.value(), imaginary_.value()}; }

 private:
  friend class base::block_addition<T>;

  reproducible_sum<part> real_;
  reproducible_sum<part> imaginary_;
};

namespace base {

template <class T>
  requires is_complex<T>
class block_addition<T> {
  using part = typename T::value_type;

 public:
  explicit block_addition(reproducible_sum<T>& sum) noexcept
      : real_(sum.real_), imaginary_(sum.imaginary_) {}

  void add(std::span<const T> values) noexcept {
    constexpr std::size_t most = 512;
    part reals[most];
    part imaginaries[most];
    while (!values.empty()) {
      const std::size_t count = values.size() < most ? values.size() : most;
      for (std::size_t i = 0; i < count; ++i) {
        reals[i] = values[i].real();
        imaginaries[i] = values[i].imag();
      }
      real_.add(std::span<const part>(reals).first(count));
      imaginary_.add(std::span<const part>(imaginaries).first(count));
      values = values.subspan(count);
    }
  }

 private:
  block_addition<part> real_;
  block_addition<part> imaginary_;
};

extern template class block_addition<float>;
extern template class block_addition<double>;

}  // namespace base

}  // namespace acre
