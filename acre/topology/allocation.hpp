// SPDX-License-Identifier: BSD-3-Clause
// A job's nodes and slots (one rank each), numbered node by node in the order of the list.
#pragma once

#include <acre/topology/network.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace acre::topology {

/// 0 … slots()-1.
using slot_t = std::uint32_t;

class allocation {
 public:
  struct share {
    node_t node;
    std::uint32_t slots;
  };

  /// @throws acre::error for a duplicate or unknown node, one with 0 slots, no nodes, or over 2^31
  /// slots
  allocation(const network& network, std::vector<share> shares);

  [[nodiscard]] static allocation whole(const network& network, std::uint32_t slots_a_node);

  [[nodiscard]] std::span<const share> shares() const noexcept { return shares_; }
  [[nodiscard]] std::size_t slots() const noexcept { return place_of_slot_.size(); }

  /// Returns the index in shares() of the slot's node.
  [[nodiscard]] std::uint32_t place_of(slot_t slot) const { return place_of_slot_[slot]; }
  [[nodiscard]] node_t node_of(slot_t slot) const { return shares_[place_of_slot_[slot]].node; }
  [[nodiscard]] slot_t first_slot(std::uint32_t place) const { return first_slot_[place]; }

 private:
  std::vector<share> shares_;
  std::vector<slot_t> first_slot_;
  std::vector<std::uint32_t> place_of_slot_;
};

}  // namespace acre::topology
