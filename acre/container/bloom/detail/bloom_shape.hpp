// SPDX-License-Identifier: BSD-3-Clause
// Chooses a filter's block width, bits per item and items per block.
//
// The number of items in a block is Poisson distributed. The false-positive rate is the mean of the
// rates for j items, computed exactly: a recurrence gives the probability that j × k draws from B
// bits set u of them; k draws find only set bits with (u / B)^k.
//
// Narrow blocks cost fewer instructions but more memory: at rate 1e-6, 170 bits per item for 64-bit
// blocks, 79 for 128, 50 for 256, 39 for 512.
//
// Source: Putze, Sanders, Singler, Cache-, Hash- and Space-Efficient Bloom Filters, WEA 2007.
#pragma once

#include <cstdint>
#include <vector>

namespace acre::container {

struct bloom_shape {
  unsigned words;    ///< per block: 1, 2, 4 or 8
  unsigned draws;    ///< per item, repetitions included
  double item_bits;  ///< per expected item
};

inline constexpr unsigned most_bloom_draws = 48;
inline constexpr double least_bloom_rate = 1e-12;

/// Returns the narrowest blocks that need at most 1.25 times the memory of 512-bit blocks, for 0.95
/// `rate`. @pre least_bloom_rate <= rate < 1
[[nodiscard]] bloom_shape choose_bloom_shape(double rate);

/// False-positive rates of a block with 0, 1, 2, … items, until nearly 1.
/// @param reserved  bits always set
[[nodiscard]] std::vector<double> bloom_block_rates(unsigned bits, unsigned draws,
                                                    unsigned reserved);
/// @param items  per block, on average
[[nodiscard]] double bloom_rate(const std::vector<double>& block_rates, double items);

}  // namespace acre::container
