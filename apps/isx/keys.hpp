// SPDX-License-Identifier: BSD-3-Clause
// Keys of ISx, the sorting of one bucket by counting, and the times of a sort.
#pragma once

#include <acre/acre.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

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

/// write_counted() writes up to this many keys past the end of its result.
inline constexpr std::size_t overshoot = 4;

/// Writes keys from [first, first + counts.size()) in order to `out`.
/// @param counts  workspace; its size is a power of two that divides `first`
/// @return end of the result
inline key* write_counted(std::span<const key> keys, key first, std::span<std::uint32_t> counts,
                          key* out) {
  std::ranges::fill(counts, 0);
  for (const key each : keys) ++counts[each & (counts.size() - 1)];
  for (const std::uint32_t count : counts) {
    // Writes `overshoot` keys without a branch: most counts are smaller.
    for (std::size_t i = 0; i < overshoot; ++i) out[i] = first;
    if (count > overshoot) [[unlikely]]
      std::fill_n(out, count, first);
    out += count;
    ++first;
  }
  return out;
}

}  // namespace acre::isx
