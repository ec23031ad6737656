// SPDX-License-Identifier: BSD-3-Clause
#include "order_format.hpp"

#include <acre/base/error.hpp>

#include <fmt/format.h>

#include <iterator>

namespace acre::tool {
namespace {

const std::string& node_of(const written_order& order, std::size_t rank) {
  return order.node_names[order.allocation.place_of(order.places[rank])];
}

}  // namespace

void require_plain_names(std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (name.find_first_of(" \t\r\n\v\f,:=#\"'") == std::string::npos) continue;
    throw error("map", "the node's name \"" + name + "\" is unsupported in a launcher's file",
                "use the launcher's names of nodes, or the format order or json");
  }
}

std::vector<std::int64_t> ranks_of_slots(const written_order& order) {
  std::vector<std::int64_t> ranks(order.allocation.slots(), -1);
  for (std::size_t rank = 0; rank < order.places.size(); ++rank) {
    ranks[order.places[rank]] = static_cast<std::int64_t>(rank);
  }
  return ranks;
}

std::string as_rankfile(const written_order& order) {
  require_plain_names(order.node_names);
  std::string text;
  for (std::size_t rank = 0; rank < order.places.size(); ++rank) {
    const topology::slot_t slot = order.places[rank];
    const topology::slot_t first = order.allocation.first_slot(order.allocation.place_of(slot));
    fmt::format_to(std::back_inserter(text), "rank {}={} slot={}\n", rank, node_of(order, rank),
                   slot - first);
  }
  return text;
}

std::string as_mpich_rank_order(const written_order& order) {
  const std::vector<std::int64_t> ranks = ranks_of_slots(order);
  std::string text;
  for (std::size_t i = 0; i < order.places.size(); ++i) {
    const auto slot = static_cast<topology::slot_t>(i);
    const std::uint32_t place = order.allocation.place_of(slot);
    if (ranks[slot] < 0) {
      throw error("map",
                  fmt::format("slot {} of {} stays free, which MPICH_RANK_ORDER does not support",
                              slot - order.allocation.first_slot(place), order.node_names[place]),
                  "use as many slots as ranks: fewer --nodes, or fewer --slots");
    }
    if (slot != 0) text += slot == order.allocation.first_slot(place) ? "\n" : ",";
    text += std::to_string(ranks[slot]);
  }
  return text + "\n";
}

std::string as_slurm_hostfile(const written_order& order) {
  require_plain_names(order.node_names);
  std::string text;
  for (std::size_t rank = 0; rank < order.places.size(); ++rank) {
    text += node_of(order, rank) + "\n";
  }
  return text;
}

std::string as_machinefile(const written_order& order) {
  require_plain_names(order.node_names);
  std::string text;
  for (std::size_t rank = 0; rank < order.places.size();) {
    const std::string& node = node_of(order, rank);
    const std::size_t first = rank;
    while (rank < order.places.size() && node_of(order, rank) == node) ++rank;
    text += fmt::format("{}:{}\n", node, rank - first);
  }
  return text;
}

std::string as_order(const written_order& order) {
  std::string text;
  for (const topology::slot_t slot : order.places) {
    if (slot >= order.places.size()) {
      throw error(
          "map",
          fmt::format("slot {} is used while lower ones stay free, but a launcher fills the "
                      "first {}",
                      slot, order.places.size()),
          "use as many slots as ranks: fewer --nodes, or fewer --slots");
    }
    text += std::to_string(slot) + "\n";
  }
  return text;
}

}  // namespace acre::tool
