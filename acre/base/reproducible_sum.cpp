// SPDX-License-Identifier: BSD-3-Clause
// Exact sums of blocks by vector instructions.
//
// Adding x to an anchor whose last place is 2^e rounds x to a multiple of 2^e; subtracting the
// anchor returns this part, and x minus the part is exact. Two anchors take 87 bits. A block with
// lower bits is extracted again; what then remains is added by exponent (exponent_bins.hpp).
#define ACRE_WIDE_LOOPS 1

#include <acre/base/reproducible_sum.hpp>

#include <acre/base/exponent_bins.hpp>
#include <acre/base/wide_loops.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace acre::base {

namespace {

using format = number_format<double>;

constexpr std::size_t lanes = 8;
constexpr std::size_t block_size = 1024;
/// A lane's sum has 7 bits more, and rounding adds less than 1: it stays below 2^51, half of the
/// room above 1.5 * 2^52.
constexpr int taken_bits = 43;
static_assert(block_size / lanes == 128);

/// In units of the anchors' last places.
struct extracted {
  std::int64_t high = 0;
  std::int64_t low = 0;
  bool is_valid = true;  ///< no NaN
  bool has_rest = false;

  void add(double of_lane, double anchor, std::int64_t& sum) noexcept {
    const std::uint64_t integer =
        std::bit_cast<std::uint64_t>(of_lane) - std::bit_cast<std::uint64_t>(anchor);
    constexpr std::uint64_t bound = std::uint64_t{1} << 51;
    is_valid &= integer + bound < 2 * bound;
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + integer);
  }
};

/// 1.5 * 2^52 units of 2^exponent.
[[nodiscard]] double anchor_of(int exponent) noexcept {
  return std::bit_cast<double>((static_cast<std::uint64_t>(exponent + 52 + 1023) << 52) |
                               (format::hidden >> 1));
}

}  // namespace

}  // namespace acre::base

#if ACRE_HAS_WIDE_LOOPS
#define ACRE_PARTS parts_by_avx2
#define ACRE_PARTS_BYTES 32
#define ACRE_PARTS_TARGET ACRE_FOR_AVX2,
#include <acre/base/extract_parts.inc>
#endif
#define ACRE_PARTS parts
#define ACRE_PARTS_TARGET
#if defined(__AVX__)
#define ACRE_PARTS_BYTES 32
#else
#define ACRE_PARTS_BYTES 16
#endif
#include <acre/base/extract_parts.inc>

namespace acre {

namespace base {

namespace {

template <class T>
[[nodiscard]] double largest_of(const T* values, std::size_t groups) noexcept {
#if ACRE_HAS_WIDE_LOOPS
  if (processor_is_wide()) return parts_by_avx2::largest_of(values, groups);
#endif
  return parts::largest_of(values, groups);
}

template <bool Keep, class T>
[[nodiscard]] extracted extract(const T* values, std::size_t groups, double high, double low,
                                double* rests) noexcept {
#if ACRE_HAS_WIDE_LOOPS
  if (processor_is_wide()) {
    return parts_by_avx2::extract<Keep>(values, groups, high, low, rests);
  }
#endif
  return parts::extract<Keep>(values, groups, high, low, rests);
}

}  // namespace

}  // namespace base

template <reproducible_real T>
struct vector_addition {
  using format = base::number_format<T>;

  static void add(reproducible_sum<T>& sum, std::span<const T> values) noexcept {
    constexpr std::size_t least = 32;  // below, single additions are faster
    alignas(64) double rests[base::block_size];
    bool keeps_rests = false;
    note_kinds(sum, values);
    while (values.size() >= least) {
      const std::size_t groups = std::min(values.size(), base::block_size) / base::lanes;
      const auto block = values.first(groups * base::lanes);
      values = values.subspan(block.size());
      outcome done = add_parts(sum, block.data(), groups, keeps_rests ? rests : nullptr);
      if (done == outcome::rests_needed) {
        done = add_parts(sum, block.data(), groups, rests);
      }
      keeps_rests = done == outcome::rests_left;
      if (done == outcome::added) continue;
      if (keeps_rests && add_parts(sum, rests, groups, rests) == outcome::added) continue;
      const auto add_left = [&](auto left) {
        if (left.size() + values.size() < bins::least) return add_singly(sum, left);
        const auto next = values.first(std::min(values.size(), most_in_bins));
        values = values.subspan(next.size());
        add_in_bins(sum, left, next);
      };
      if (keeps_rests) {
        add_left(std::span<const double>(rests, block.size()));
      } else {
        add_left(block);
      }
    }
    add_singly(sum, values);
  }

 private:
  enum class outcome : unsigned char {
    added,
    rests_left,
    rests_needed,
    refused  ///< NaNs, infinities, or doubles from 2^1014 on
  };

  using bins = base::exponent_bins<T>;
  /// Afterwards the next block shows whether extraction is possible again.
  static constexpr std::size_t most_in_bins = std::size_t{1} << 16;

  template <class U>
  [[gnu::noinline]] static void add_in_bins(reproducible_sum<T>& sum, std::span<const U> left,
                                            std::span<const T> values) noexcept {
    const auto add_integer = [&sum](std::int64_t integer, unsigned position) {
      sum.add_integer(integer, position);
    };
    bins all;
    all.add(left, add_integer);
    all.add(values, add_integer);
    const auto found = all.finish(add_integer);
    if (found.nan) sum.seen_ |= sum.seen_nan;
    if (found.infinity) sum.seen_ |= sum.seen_infinity;
    if (found.minus_infinity) sum.seen_ |= sum.seen_minus_infinity;
  }

  template <class U>
  static void add_singly(reproducible_sum<T>& sum, std::span<const U> values) noexcept {
    for (const U x : values) {
      if (x != 0) sum.add(static_cast<T>(x));
    }
  }

  /// @param rests  null, or room; may be `values`
  template <class U>
  [[nodiscard]] static outcome add_parts(reproducible_sum<T>& sum, const U* values,
                                         std::size_t groups, double* rests) noexcept {
    const double largest = base::largest_of(values, groups);
    const unsigned field = base::format::exponent_field(std::bit_cast<std::uint64_t>(largest));
    const int bound = static_cast<int>(std::max(field, 1U)) - 1022;  // all < 2^bound
    if (bound > 1014) return outcome::refused;
    const int high = std::max(bound - base::taken_bits, format::lowest);
    const int low = std::max(high - 1 - base::taken_bits, format::lowest);
    const double at_high = base::anchor_of(high);
    const double at_low = base::anchor_of(low);
    const base::extracted parts =
        rests == nullptr ? base::extract<false>(values, groups, at_high, at_low, nullptr)
                         : base::extract<true>(values, groups, at_high, at_low, rests);
    if (!parts.is_valid) return outcome::refused;
    if (parts.has_rest && rests == nullptr) return outcome::rests_needed;
    sum.add_integer(parts.high, static_cast<unsigned>(high - format::lowest));
    sum.add_integer(parts.low, static_cast<unsigned>(low - format::lowest));
    return parts.has_rest ? outcome::rests_left : outcome::added;
  }

  /// Finds whether all sums are of -0.
  static void note_kinds(reproducible_sum<T>& sum, std::span<const T> values) noexcept {
    if ((sum.seen_ & sum.seen_other) != 0 || values.empty()) return;
    const auto is_minus_zero = [](T x) {
      return std::bit_cast<typename format::bits>(x) == format::sign;
    };
    const auto found = std::ranges::find_if_not(values, is_minus_zero);
    if (found != values.begin()) sum.seen_ |= sum.seen_minus_zero;
    if (found != values.end()) sum.seen_ |= sum.seen_other;
  }
};

namespace base {

void add_all(reproducible_sum<float>& sum, std::span<const float> values) noexcept {
  vector_addition<float>::add(sum, values);
}
void add_all(reproducible_sum<double>& sum, std::span<const double> values) noexcept {
  vector_addition<double>::add(sum, values);
}

}  // namespace base
}  // namespace acre
