// How much of the traffic is between the neighbours of a structure.
#pragma once

#include <acre/mapping/traffic.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping::detail {

/// The part of all bytes that goes between ranks of which `are_near(one, other)` holds.
/// @param step  each so many-th rank is asked
template <class Near>
double part_of_bytes(const traffic& pairs, Near&& are_near, rank_t step = 1) {
  double near = 0;
  double all = 0;
  for (rank_t rank = 0; rank < pairs.ranks(); rank += step) {
    for (const auto& [to, bytes] : pairs.from(rank)) {
      all += bytes;
      if (are_near(rank, to)) near += bytes;
    }
  }
  return all > 0 ? near / all : 0;
}

/// Whether two cells differ by one step in one dimension, borders being joined.
inline bool are_beside(std::span<const std::uint32_t> extents, std::uint32_t one,
                       std::uint32_t other) {
  bool stepped = false;
  for (std::size_t d = extents.size(); d-- > 0;) {
    const std::uint32_t extent = extents[d];
    const std::uint32_t a = one % extent;
    const std::uint32_t b = other % extent;
    one /= extent;
    other /= extent;
    if (a == b) continue;
    const std::uint32_t apart = a < b ? b - a : a - b;
    if (stepped || (apart != 1 && apart != extent - 1)) return false;
    stepped = true;
  }
  return stepped;
}

/// The cell of each rank.
inline std::vector<std::uint32_t> cells_of(std::span<const rank_t> ranks) {
  std::vector<std::uint32_t> cells(ranks.size());
  for (std::uint32_t i = 0; i < ranks.size(); ++i) cells[ranks[i]] = i;
  return cells;
}

/// The part of a grid's neighbours.
/// @param ranks those in its cells
inline double explained_by_grid(const traffic& pairs, std::span<const std::uint32_t> extents,
                                std::span<const rank_t> ranks) {
  const auto cells = cells_of(ranks);
  return part_of_bytes(
      pairs, [&](rank_t from, rank_t to) { return are_beside(extents, cells[from], cells[to]); });
}

}  // namespace acre::mapping::detail
