// SPDX-License-Identifier: BSD-3-Clause
// Balancers that treat consecutive ranks as near in the network.
//
//     const auto near = acre::in_order(acre::curve_balancer{}, acre::ranks_along_network());
//     acre::balance(mine, near);
#pragma once

#include <acre/agas/balance.hpp>
#include <acre/base/site.hpp>
#include <acre/runtime/world.hpp>

#include <span>
#include <utility>
#include <vector>

namespace acre {

/// Returns all ranks, consecutive ones near: a chain mapped to the machine of ACRE_TOPOLOGY; 0, 1,
/// 2, … on one node. Collective over the job. Cost: team::cartesian().
[[nodiscard]] std::vector<rank_t> ranks_along_network(const site& where = site::current());

namespace agas {
/// Inverse of `order`.
/// @throws acre::error if that is not a permutation of the ranks
[[nodiscard]] std::vector<rank_t> places_in(std::span<const rank_t> order, rank_t ranks);
}  // namespace agas

/// Renumbers ranks for `how`: order[i] becomes i.
template <balancer How>
struct ordered_balancer {
  How how;
  std::vector<rank_t> order;

  /// @throws acre::error as places_in()
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
