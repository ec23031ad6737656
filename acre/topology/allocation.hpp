// SPDX-License-Identifier: BSD-3-Clause
// Which nodes of a machine a job has, and how many ranks each takes.
//
// A slot is the room for one rank. Slots are numbered through the nodes in the
// order of the list: those of the first node first.
#pragma once

#include <acre/topology/network.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace acre::topology {

/// A slot: 0 … slots()-1.
using slot_t = std::uint32_t;

class allocation {
 public:
  struct share {
    node_t node;
    std::uint32_t slots;
  };

  /// @throws acre::error when a node is named twice, has no slot, or is not one of `network`
  allocation(const network& network, std::vector<share> shares);

  /// All nodes of a network, with as many slots each.
  [[nodiscard]] static allocation whole(const network& network, std::uint32_t slots_a_node);

  [[nodiscard]] std::span<const share> shares() const noexcept { return shares_; }
  [[nodiscard]] std::size_t slots() const noexcept { return place_of_slot_.size(); }

  /// The place in the list of shares of a slot's node.
  [[nodiscard]] std::uint32_t place_of(slot_t slot) const { return place_of_slot_[slot]; }
  [[nodiscard]] node_t node_of(slot_t slot) const { return shares_[place_of_slot_[slot]].node; }
  /// The first slot of a share.
  [[nodiscard]] slot_t first_slot(std::uint32_t place) const { return first_slot_[place]; }

 private:
  std::vector<share> shares_;
  std::vector<slot_t> first_slot_;
  std::vector<std::uint32_t> place_of_slot_;
};

}  // namespace acre::topology
