// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/structured.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <utility>

namespace acre::mapping {

using topology::slot_t;

metrics measure(const problem& given, const placement& places) {
  return measure(given.where, given.what.traffic, places, given.what.phases);
}

void require_slots(const problem& given) {
  require_slots(given.what.traffic.ranks(), given.where.allocation.slots());
}

void require_time(const problem& given) {
  using clock = std::chrono::steady_clock;
  if (given.until != clock::time_point::max() && clock::now() > given.until) {
    throw error("mapping", "the time limit of a mapping has expired");
  }
}

placement packed(const problem& given) {
  require_slots(given);
  placement places(given.what.traffic.ranks());
  std::iota(places.begin(), places.end(), slot_t{0});
  return places;
}

namespace {

placement dealt_out(const problem& given, bool forth_and_back) {
  require_slots(given);
  const auto shares = given.where.allocation.shares();
  placement places(given.what.traffic.ranks());
  std::vector<std::uint32_t> with_room(shares.size());
  std::iota(with_room.begin(), with_room.end(), 0U);
  rank_t rank = 0;
  for (std::uint32_t round = 0; rank < places.size(); ++round) {
    std::erase_if(with_room, [&](std::uint32_t place) { return round >= shares[place].slots; });
    const std::size_t here = std::min(with_room.size(), places.size() - rank);
    for (std::size_t turn = 0; turn < here; ++turn) {
      const bool back = forth_and_back && round % 2 == 1;
      const std::uint32_t place = with_room[back ? with_room.size() - 1 - turn : turn];
      places[rank++] = given.where.allocation.first_slot(place) + round;
    }
  }
  return places;
}

}  // namespace

placement round_robin(const problem& given) { return dealt_out(given, false); }

placement folded_ranks(const problem& given) { return dealt_out(given, true); }

placement random_order(const problem& given, std::uint64_t seed) {
  placement places = packed(given);
  std::mt19937_64 random(seed);
  // Durstenfeld's shuffle, as std::shuffle differs between libraries.
  for (std::size_t left = places.size(); left > 1; --left) {
    std::swap(places[left - 1], places[random() % left]);
  }
  return places;
}

std::vector<std::uint32_t> nodes_along(const machine& where, const order_function& curve) {
  const auto extents = where.network.extents();
  if (extents.empty()) {
    throw error("mapping", "the nodes of " + where.network.name() + " do not form a grid");
  }
  // Networks number nodes with the first coordinate fastest, grids with the last.
  const std::vector<std::uint32_t> turned(extents.rbegin(), extents.rend());
  const order routers = curve(turned);
  std::vector<std::uint32_t> turn(routers.size());
  for (std::uint32_t i = 0; i < routers.size(); ++i) turn[routers[i]] = i;

  const auto shares = where.allocation.shares();
  std::vector<std::uint32_t> nodes(shares.size());
  std::iota(nodes.begin(), nodes.end(), 0U);
  std::ranges::sort(nodes, {}, [&](std::uint32_t place) {
    return std::pair(turn[shares[place].node / where.network.nodes_a_router()], place);
  });
  return nodes;
}

std::vector<std::uint32_t> nodes_by_group(const machine& where) {
  const auto shares = where.allocation.shares();
  std::vector<std::uint32_t> nodes(shares.size());
  std::iota(nodes.begin(), nodes.end(), 0U);
  std::ranges::sort(nodes, [&](std::uint32_t a, std::uint32_t b) {
    const auto by_group = where.network.compare_groups(shares[a].node, shares[b].node);
    return by_group != 0 ? by_group < 0 : a < b;
  });
  return nodes;
}

std::vector<seat> seats_by_group(const problem& given) {
  std::vector<seat> seats;
  std::uint32_t left = given.what.traffic.ranks();
  for (const std::uint32_t place : nodes_by_group(given.where)) {
    const std::uint32_t here = std::min(left, given.where.allocation.shares()[place].slots);
    if (here > 0) seats.push_back({.place = place, .ranks = here});
    left -= here;
  }
  return seats;
}

std::uint32_t ranks_in(std::span<const seat> seats) {
  return std::accumulate(seats.begin(), seats.end(), 0U,
                         [](std::uint32_t sum, const seat& each) { return sum + each.ranks; });
}

placement matched(const problem& given, std::span<const rank_t> ranks,
                  std::span<const std::uint32_t> nodes, std::uint32_t each) {
  require_slots(given);
  const topology::allocation& allocation = given.where.allocation;
  if (ranks.size() != given.what.traffic.ranks() || nodes.size() != allocation.shares().size()) {
    throw error("mapping::matched", "an order does not contain all ranks, or not all nodes");
  }
  placement places(ranks.size());
  std::size_t next = 0;
  for (const std::uint32_t node : nodes) {
    const slot_t first = allocation.first_slot(node);
    const std::uint32_t slots = allocation.shares()[node].slots;
    if (slots < each) continue;
    const std::uint32_t taken = each == 0 ? slots : each;
    for (slot_t slot = 0; slot < taken && next < ranks.size(); ++slot) {
      places[ranks[next++]] = first + slot;
    }
  }
  if (next < ranks.size()) {
    throw error("mapping::matched", "too few nodes have " + std::to_string(each) + " slots");
  }
  return places;
}

placement matched_cells(const problem& given, std::vector<cell_t> cells,
                        std::span<const std::uint32_t> nodes, std::uint32_t each) {
  for (cell_t& one : cells) one = given.what.rank_of(one);
  std::erase(cells, invalid_rank);
  return matched(given, cells, nodes, each);
}

placement along_gray_codes(const problem& given) {
  const bool has_grid = !given.where.network.extents().empty();
  return matched_cells(
      given, gray_code(given.what.extents),
      has_grid ? nodes_along(given.where, gray_code) : nodes_by_group(given.where));
}

std::vector<std::vector<std::uint32_t>> block_shapes(std::span<const std::uint32_t> extents,
                                                     std::uint32_t cells, std::size_t most) {
  struct candidate {
    std::vector<std::uint32_t> shape;
    double surface;
  };
  std::vector<candidate> found;
  std::vector<std::uint32_t> shape(extents.size(), 1);
  // A block that spans a dimension has no faces in it.
  const auto surface = [&] {
    double volume = 1;
    for (const std::uint32_t each : shape) volume *= each;
    double faces = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] != extents[d]) faces += 2 * volume / shape[d];
    }
    return faces;
  };
  const auto search = [&](auto&& deeper, std::size_t d, std::uint32_t left) -> void {
    if (d == extents.size()) {
      if (left == 1) found.push_back({shape, surface()});
      return;
    }
    for (std::uint32_t length = 1; length <= std::min(left, extents[d]); ++length) {
      if (left % length != 0) continue;
      shape[d] = length;
      deeper(deeper, d + 1, left / length);
    }
  };
  search(search, 0, cells);
  // Dimensions not divided by the block. Blocks that do not tile share nodes.
  const auto rest = [&](const candidate& each) {
    std::size_t dimensions = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) dimensions += extents[d] % each.shape[d] != 0;
    return dimensions;
  };
  std::ranges::sort(found, {}, [&](const candidate& each) {
    return std::tuple(rest(each), each.surface, each.shape);
  });
  std::vector<std::vector<std::uint32_t>> shapes;
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) shapes.push_back(found[i].shape);
  return shapes;
}

}  // namespace acre::mapping
