// SPDX-License-Identifier: BSD-3-Clause
// How large a Bloom filter must be: the width of its blocks, the bits that an
// item sets in its block, and the items that a block takes.
//
// All bits of an item lie in one block, so how many items a block holds is left
// to chance: it is Poisson distributed. The rate of false positives is the mean
// over that of the rate in a block of j items, and that is computed here, not
// estimated: j × k draws, with repetition, of B places leave u of them set with
// a probability that a recurrence gives, and k draws find only set ones with
// (u / B)^k. So the rate asked for is the rate that comes, at the expected number
// of items.
//
// Narrow blocks cost fewer instructions and more memory: full ones are more
// frequent. For a false-positive rate of 1e-6 blocks of 64 bits take 170 bits an
// item, 128: 79, 256: 50, 512: 39.
//
// Source: blocked filters are from Putze, Sanders, Singler, Cache-, Hash- and
// Space-Efficient Bloom Filters, WEA 2007.
#pragma once

#include <cstdint>
#include <vector>

namespace acre::container {

/// What the blocks of a filter look like.
struct bloom_shape {
  unsigned words;    ///< of 64 bits in a block: 1, 2, 4 or 8
  unsigned draws;    ///< how many bits an item sets, some of them perhaps twice
  double item_bits;  ///< bits of memory for each expected item
};

/// The most draws that a filter may need.
inline constexpr unsigned most_bloom_draws = 48;
/// The lowest rate that blocks of any width are made for.
inline constexpr double least_bloom_rate = 1e-12;

/// Of the blocks that keep the rate (and a little more, for how the items are spread over the
/// blocks varies from set to set) the narrowest, unless it takes much more memory than a
/// cache line. @pre least_bloom_rate <= rate < 1
[[nodiscard]] bloom_shape choose_bloom_shape(double rate);

/// The rate of false positives in a block that holds 0, 1, 2, … items, until it is nearly 1.
/// @param reserved  bits that are set from the begin
[[nodiscard]] std::vector<double> bloom_block_rates(unsigned bits, unsigned draws,
                                                    unsigned reserved);
/// That of a whole filter whose blocks hold `items` on average.
[[nodiscard]] double bloom_rate(const std::vector<double>& block_rates, double items);

}  // namespace acre::container
