// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/network_order.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <string>

namespace acre {

std::vector<rank_t> ranks_along_network(const site& where) {
  const team chain = team::cartesian({size()}, where);
  return chain.allgather(rank(), where);
}

std::vector<rank_t> agas::places_in(std::span<const rank_t> order, rank_t ranks) {
  std::vector<rank_t> places(ranks, ranks);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] < ranks) places[order[i]] = static_cast<rank_t>(i);
  }
  for (rank_t r = 0; r < ranks; ++r) {
    if (order.size() == ranks && places[r] != ranks) continue;
    throw error("balance",
                "the order of ranks, of " + std::to_string(order.size()) +
                    " entries, does not list each of the " + std::to_string(ranks) + " ranks once",
                "list each rank of the job once, as ranks_along_network() does");
  }
  return places;
}

}  // namespace acre
