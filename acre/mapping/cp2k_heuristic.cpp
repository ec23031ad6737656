// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/cp2k_heuristic.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace acre::mapping {
namespace {

constexpr std::size_t y_axis = 1;

/// Part of the hop-bytes of another direction that x may have.
double tolerance(std::size_t axis) { return axis == y_axis ? 1.4 : 1.2; }

std::uint32_t coordinate(const topology::network& network, topology::node_t node,
                         std::size_t axis) {
  std::uint32_t router = node / network.nodes_a_router();
  for (std::size_t i = 0; i < axis; ++i) router /= network.extents()[i];
  return router % network.extents()[axis];
}

}  // namespace

placement cp2k_direction(const problem& given, std::size_t axis) {
  const machine& where = given.where;
  if (axis >= where.network.extents().size()) {
    throw error("mapping::cp2k_direction",
                "the network " + where.network.name() + " has no axis " + std::to_string(axis),
                "use an axis of a torus or mesh, 0 for x");
  }
  const auto shares = where.allocation.shares();
  std::vector<std::uint32_t> nodes(shares.size());
  std::iota(nodes.begin(), nodes.end(), 0U);
  std::ranges::sort(nodes, {}, [&](std::uint32_t place) {
    return std::pair(coordinate(where.network, shares[place].node, axis), place);
  });
  return matched_cells(given, hilbert(given.what.extents), nodes);
}

placement cp2k_heuristic(const problem& given) {
  struct direction {
    placement places;
    double sum;
  };
  const auto measured = [&](placement places) {
    const double sum = hop_bytes(given.where, given.what.traffic, places);
    return direction{.places = std::move(places), .sum = sum};
  };
  direction standard = measured(packed(given));
  direction x = measured(cp2k_direction(given, 0));
  std::vector<direction> others;
  bool is_x_close = true;
  for (std::size_t axis = 1; axis < given.where.network.extents().size(); ++axis) {
    require_time(given);
    others.push_back(measured(cp2k_direction(given, axis)));
    is_x_close = is_x_close && x.sum <= tolerance(axis) * others.back().sum;
  }
  direction& chosen = is_x_close ? x : *std::ranges::min_element(others, {}, &direction::sum);
  return std::move((standard.sum <= chosen.sum ? standard : chosen).places);
}

}  // namespace acre::mapping
