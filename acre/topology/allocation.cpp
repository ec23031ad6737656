// SPDX-License-Identifier: BSD-3-Clause
#include <acre/topology/allocation.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::topology {

allocation::allocation(const network& network, std::vector<share> shares)
    : shares_(std::move(shares)) {
  constexpr const char* call = "topology::allocation";
  constexpr std::size_t most = std::size_t{1} << 31;
  if (shares_.empty()) throw error(call, "the job has no nodes", "list at least 1 node");
  std::vector<bool> taken(network.nodes());
  std::size_t slots = 0;
  for (const share& each : shares_) {
    const std::string node = "node " + std::to_string(each.node);
    if (each.node >= network.nodes()) {
      throw error(call,
                  node + " is not among the " + std::to_string(network.nodes()) + " nodes of " +
                      network.name(),
                  "nodes are numbered from 0");
    }
    if (taken[each.node]) {
      throw error(call, node + " is listed twice", "list it once, with the sum of its slots");
    }
    if (each.slots == 0) throw error(call, node + " has 0 slots", "omit nodes without slots");
    taken[each.node] = true;
    slots += each.slots;
    if (slots > most) throw error(call, "the job has more than 2^31 slots");
  }
  place_of_slot_.reserve(slots);
  for (std::uint32_t place = 0; place < shares_.size(); ++place) {
    first_slot_.push_back(static_cast<slot_t>(place_of_slot_.size()));
    place_of_slot_.insert(place_of_slot_.end(), shares_[place].slots, place);
  }
}

allocation allocation::whole(const network& network, std::uint32_t slots_a_node) {
  std::vector<share> shares;
  shares.reserve(network.nodes());
  for (std::size_t node = 0; node < network.nodes(); ++node) {
    shares.push_back({.node = static_cast<node_t>(node), .slots = slots_a_node});
  }
  return {network, std::move(shares)};
}

}  // namespace acre::topology
