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
#include <new>
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

namespace acre::base {

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

enum class block_outcome : unsigned char {
  added,
  rests_left,
  rests_needed,
  refused  ///< NaNs, infinities, or doubles from 2^1014 on
};

template <class T>
block_addition<T>::block_addition(reproducible_sum<T>& sum) noexcept : sum_(sum) {}

template <class T>
block_addition<T>::~block_addition() {
  if (!bins_) return;
  const auto found = bins_->finish(sum_);
  if (found.nan) sum_.seen_ |= sum_.seen_nan;
  if (found.infinity) sum_.seen_ |= sum_.seen_infinity;
  if (found.minus_infinity) sum_.seen_ |= sum_.seen_minus_infinity;
}

template <class T>
void block_addition<T>::add(std::span<const T> values) noexcept {
  constexpr std::size_t least = 32;  // below, single additions are faster
  alignas(64) double rests[block_size];
  bool keeps_rests = false;
  note_kinds(values);
  while (values.size() >= least) {
    if (for_bins_ > 0) {
      const auto next = values.first(std::min(values.size(), for_bins_));
      values = values.subspan(next.size());
      for_bins_ -= next.size();
      bins_->add(next, sum_);
      continue;
    }
    const std::size_t groups = std::min(values.size(), block_size) / lanes;
    const auto block = values.first(groups * lanes);
    values = values.subspan(block.size());
    block_outcome done = add_parts(block.data(), groups, keeps_rests ? rests : nullptr);
    if (done == block_outcome::rests_needed) done = add_parts(block.data(), groups, rests);
    keeps_rests = done == block_outcome::rests_left;
    if (done == block_outcome::added) continue;
    if (keeps_rests && add_parts(rests, groups, rests) == block_outcome::added) continue;
    if (keeps_rests) {
      add_left(std::span<const double>(rests, block.size()), values.size());
    } else {
      add_left(block, values.size());
    }
  }
  add_singly(values);
}

/// @param rests  null, or room; may be `values`
template <class T>
template <class U>
block_outcome block_addition<T>::add_parts(const U* values, std::size_t groups,
                                           double* rests) noexcept {
  constexpr int lowest = number_format<T>::lowest;
  const double largest = largest_of(values, groups);
  const unsigned field = format::exponent_field(std::bit_cast<std::uint64_t>(largest));
  const int bound = static_cast<int>(std::max(field, 1U)) - 1022;  // all < 2^bound
  if (bound > 1014) return block_outcome::refused;
  const int high = std::max(bound - taken_bits, lowest);
  const int low = std::max(high - 1 - taken_bits, lowest);
  const double at_high = anchor_of(high);
  const double at_low = anchor_of(low);
  const extracted parts = rests == nullptr
                              ? extract<false>(values, groups, at_high, at_low, nullptr)
                              : extract<true>(values, groups, at_high, at_low, rests);
  if (!parts.is_valid) return block_outcome::refused;
  if (parts.has_rest && rests == nullptr) return block_outcome::rests_needed;
  sum_.add_integer(parts.high, static_cast<unsigned>(high - lowest));
  sum_.add_integer(parts.low, static_cast<unsigned>(low - lowest));
  return parts.has_rest ? block_outcome::rests_left : block_outcome::added;
}

/// Adds numbers that are unfit for vectors. @param following  numbers that add() has after these
template <class T>
template <class U>
void block_addition<T>::add_left(std::span<const U> left, std::size_t following) noexcept {
  using bins = exponent_bins<T>;
  // Afterwards the next block shows whether vectors are fit again.
  constexpr std::size_t most_in_bins = std::size_t{1} << 16;
  if (!bins_ && singly_added_ + left.size() + following >= bins::least) {
    bins_ = unique_object<bins>(new (std::nothrow) bins);
  }
  if (bins_) {
    bins_->add(left, sum_);
    for_bins_ = most_in_bins;
  } else {
    add_singly(left);
    singly_added_ += left.size();
  }
}

template <class T>
template <class U>
void block_addition<T>::add_singly(std::span<const U> values) noexcept {
  for (const U x : values) {
    if (x != 0) sum_.add(static_cast<T>(x));
  }
}

/// Finds whether all sums are of -0.
template <class T>
void block_addition<T>::note_kinds(std::span<const T> values) noexcept {
  if ((sum_.seen_ & sum_.seen_other) != 0 || values.empty()) return;
  using own = number_format<T>;
  const auto is_minus_zero = [](T x) { return std::bit_cast<typename own::bits>(x) == own::sign; };
  const auto found = std::ranges::find_if_not(values, is_minus_zero);
  if (found != values.begin()) sum_.seen_ |= sum_.seen_minus_zero;
  if (found != values.end()) sum_.seen_ |= sum_.seen_other;
}

template class block_addition<float>;
template class block_addition<double>;

}  // namespace acre::base
