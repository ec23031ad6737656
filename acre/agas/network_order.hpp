// SPDX-License-Identifier: BSD-3-Clause
// Balancers for whom near ranks are next to each other.
//
//     const auto near = acre::in_order(acre::curve_balancer{}, acre::ranks_along_network());
//     acre::balance(mine, near);
//
// The curve's pieces that touch each other talk most, and diffusion moves objects to the next rank:
// both take rank numbers for places. On a machine with a network they are better taken from it.
#pragma once

#include <acre/agas/balance.hpp>
#include <acre/base/site.hpp>
#include <acre/runtime/world.hpp>

#include <span>
#include <utility>
#include <vector>

namespace acre {

/// All ranks of the job, in an order in which those next to each other are near: what the mapping
/// room makes of a chain on the machine that ACRE_TOPOLOGY names. Of one node it is 0, 1, 2, ….
/// Collective over the job. Cost: that of team::cartesian().
[[nodiscard]] std::vector<rank_t> ranks_along_network(const site& where = site::current());

namespace agas {
/// The number of each rank in the order.
/// @throws acre::error when it is not an order of all ranks
[[nodiscard]] std::vector<rank_t> places_in(std::span<const rank_t> order, rank_t ranks);
}  // namespace agas

/// Another balancer, to which rank order[i] has the number i.
template <balancer How>
struct ordered_balancer {
  How how;
  std::vector<rank_t> order;

  /// @throws acre::error when the order is not one of all ranks
  [[nodiscard]] std::vector<rank_t> operator()(std::span<const weighed_object> objects,
                                               rank_t ranks) const {
    const std::vector<rank_t> places = agas::places_in(order, ranks);
    std::vector<weighed_object> renumbered(objects.begin(), objects.end());
    for (weighed_object& each : renumbered) each.owner = places[each.owner];
    std::vector<rank_t> owners = how(renumbered, ranks);
    for (rank_t& each : owners) each = order.at(each);
    return owners;
  }
};

template <balancer How>
[[nodiscard]] ordered_balancer<How> in_order(How how, std::vector<rank_t> order) {
  return {std::move(how), std::move(order)};
}

}  // namespace acre
