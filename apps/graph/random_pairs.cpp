// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/random_pairs.hpp>

#include <acre/base/error.hpp>
#include <acre/base/split_mix.hpp>

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace acre::graph {

random_pairs::random_pairs(std::uint64_t vertices, std::uint64_t edges, std::uint64_t seed,
                           direction entries)
    : vertices_(vertices),
      edges_(edges),
      seed_(split_mix(seed)),
      entries_(entries),
      pairs_(vertices * (vertices - 1) / (entries == direction::both ? 2 : 1)),
      half_bits_((static_cast<unsigned>(std::bit_width(pairs_)) + 1) / 2) {
  if (edges > pairs_) {
    throw error(
        "acre-graph",
        fmt::format("a graph of {} vertices has {} edges at most, not {}", vertices, pairs_, edges),
        "choose fewer edges, or more vertices");
  }
}

std::uint64_t random_pairs::permuted(std::uint64_t number) const noexcept {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  do {
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t low = number & mask;
      const std::uint64_t high = number >> half_bits_ ^ split_mix(seed_, 2 * low + (round << 40));
      number = low << half_bits_ | (high & mask);
    }
  } while (number >= pairs_);
  return number;
}

edge random_pairs::operator[](std::uint64_t number) const noexcept {
  const std::uint64_t pair = permuted(number);
  if (entries_ == direction::forward) {
    const std::uint64_t from = pair / (vertices_ - 1);
    const std::uint64_t to = pair % (vertices_ - 1);
    return {from, to < from ? to : to + 1};
  }
  auto from = static_cast<std::uint64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(pair))) / 2);
  while (from * (from - 1) / 2 > pair) --from;
  while (from * (from + 1) / 2 <= pair) ++from;
  return {from, pair - from * (from - 1) / 2};
}

}  // namespace acre::graph
