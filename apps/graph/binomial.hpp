// SPDX-License-Identifier: BSD-3-Clause
// Binomial random numbers that depend on a key only.
#pragma once

#include <acre/base/split_mix.hpp>

#include <cstdint>
#include <limits>
#include <random>

namespace acre::graph {

/// In [0, 1), of 53 bits.
[[nodiscard]] inline double fraction_of(std::uint64_t random) noexcept {
  return static_cast<double>(random >> 11) * 0x1p-53;
}

class keyed_engine {
 public:
  using result_type = std::uint64_t;
  explicit keyed_engine(std::uint64_t key) noexcept : key_(key) {}
  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return std::numeric_limits<result_type>::max(); }
  result_type operator()() noexcept { return split_mix(key_, next_++); }

 private:
  std::uint64_t key_;
  std::uint64_t next_ = 0;
};

/// Number of `trials` that succeed, each with the probability `share`.
[[nodiscard]] inline std::uint64_t binomial(std::uint64_t key, std::uint64_t trials, double share) {
  if (trials == 0 || share <= 0) return 0;
  if (share >= 1) return trials;
  keyed_engine random(key);
  if (trials < 16) {
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < trials; ++i) count += fraction_of(random()) < share ? 1 : 0;
    return count;
  }
  std::binomial_distribution<std::int64_t> successes(static_cast<std::int64_t>(trials), share);
  return static_cast<std::uint64_t>(successes(random));
}

}  // namespace acre::graph
