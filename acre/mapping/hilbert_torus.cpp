// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/hilbert_torus.hpp>

#include <algorithm>
#include <numeric>

namespace acre::mapping {

placement hilbert_torus(const problem& given) {
  const order cells = hilbert(given.what.extents);
  placement best = packed(given);
  double fewest = hop_bytes(given.where, given.what.traffic, best);
  for_each_turn(given.where.network.extents().size(), [&](std::span<const std::uint32_t> which) {
    require_time(given);
    const auto curve = [&](std::span<const std::uint32_t> extents) {
      return along_axes(hilbert(turned(extents, which)), extents, which);
    };
    placement next = matched_cells(given, cells, nodes_along(given.where, curve));
    const double sum = hop_bytes(given.where, given.what.traffic, next);
    if (sum >= fewest) return;
    fewest = sum;
    best = std::move(next);
  });
  return best;
}

}  // namespace acre::mapping
