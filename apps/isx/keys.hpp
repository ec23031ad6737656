// SPDX-License-Identifier: BSD-3-Clause
// Keys of ISx, sorting by counting, and times.
#pragma once

#include <acre/acre.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace acre::isx {

using key = std::uint32_t;

/// Key i, below 2^bits, independent of the number of ranks.
[[nodiscard]] constexpr key make_key(std::uint64_t i, unsigned bits) noexcept {
  return static_cast<key>(split_mix(0, i) >> (64 - bits));
}

/// Seconds of the calling rank.
struct phases {
  double bucketize;
  double exchange;
  double sort;
  [[nodiscard]] double total() const noexcept { return bucketize + exchange + sort; }
};

using clock = std::chrono::steady_clock;
[[nodiscard]] inline double seconds(clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

[[noreturn]] inline void throw_uneven_keys(rank_t owner, std::size_t capacity) {
  throw error(
      "acre-isx",
      "rank " + std::to_string(owner) + " receives more than " + std::to_string(capacity) + " keys",
      "choose more --keys: ranges of few keys deviate more from uniform ones");
}

/// Bound of an expected number of uniform keys: ten standard deviations more.
[[nodiscard]] inline std::size_t room_for(double keys) {
  return static_cast<std::size_t>(keys + 10 * std::sqrt(keys)) + 32;
}

/// Bits of a key in its bucket, whose counters fill half a cache.
[[nodiscard]] inline unsigned choose_bucket_bits(unsigned bits) {
  const auto least = static_cast<unsigned>(std::bit_width(8 * size()));
  return std::min(16U, bits - std::min(bits, least));
}

/// @param counts  of keys modulo its size, a power of two
inline void count_keys(std::span<const key> keys, std::span<std::uint32_t> counts) {
  for (const key each : keys) ++counts[each & (counts.size() - 1)];
}

/// Maximum keys that write_counted() writes past its end.
inline constexpr std::size_t overshoot = 4;

/// Writes the counted keys, from `first` on, and clears the counts.
/// @return end of the result
inline key* write_counted(key first, std::span<std::uint32_t> counts, key* out) {
  for (std::uint32_t& each : counts) {
    const std::uint32_t count = std::exchange(each, 0);
    // Without a branch: most counts are smaller.
    for (std::size_t i = 0; i < overshoot; ++i) out[i] = first;
    if (count > overshoot) [[unlikely]]
      std::fill_n(out, count, first);
    out += count;
    ++first;
  }
  return out;
}

}  // namespace acre::isx
