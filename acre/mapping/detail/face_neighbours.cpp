// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/face_neighbours.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace acre::mapping {
namespace {

double nearness(const neighbour_lists& neighbours, rank_t one, rank_t other) {
  const double both = neighbours.in_common(one, other) + 2;
  const auto all = neighbours.of(one).size() + neighbours.of(other).size() + 2;
  return both / (static_cast<double>(all) - both);
}

double third_nearness(const neighbour_lists& neighbours, rank_t rank) {
  std::array<double, 3> nearest{};
  for (const rank_t each : neighbours.of(rank)) {
    const double here = nearness(neighbours, rank, each);
    if (here <= nearest.back()) continue;
    nearest.back() = here;
    for (std::size_t i = 2; i > 0 && nearest[i] > nearest[i - 1]; --i) {
      std::swap(nearest[i], nearest[i - 1]);
    }
  }
  return nearest.back();
}

}  // namespace

bool mostly_in_triangles(const neighbour_lists& neighbours) {
  constexpr rank_t looked_at = 1024;
  std::size_t pairs = 0;
  std::size_t with_others = 0;
  const rank_t step = std::max<rank_t>(1, neighbours.ranks() / looked_at);
  for (rank_t rank = 0; rank < neighbours.ranks(); rank += step) {
    for (const rank_t each : neighbours.of(rank)) {
      ++pairs;
      with_others += neighbours.in_common(rank, each) != 0 ? 1 : 0;
    }
  }
  return 2 * with_others > pairs;
}

neighbour_lists face_neighbours(const neighbour_lists& neighbours, deadline& end) {
  constexpr double nearly = 0.9;
  std::vector<double> least(neighbours.ranks());
  for (rank_t rank = 0; rank < neighbours.ranks(); ++rank) {
    end.require();
    least[rank] = nearly * third_nearness(neighbours, rank);
  }
  neighbour_lists faces = neighbours;
  faces.keep([&](rank_t one, rank_t other) {
    end.require();
    const double here = nearness(neighbours, one, other);
    return here >= least[one] && here >= least[other];
  });
  return faces;
}

}  // namespace acre::mapping
