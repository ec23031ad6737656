// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/tree_grouping.hpp>

#include <acre/mapping/attraction.hpp>

#include <algorithm>
#include <numeric>

namespace acre::mapping {
namespace {

using groups = std::vector<std::vector<std::uint32_t>>;

/// Grows groups by heaviest exchange; the last ones may be smaller or missing.
groups gather(const problem& given, const traffic& pairs, std::span<const std::uint32_t> sizes) {
  attraction_queue queue(pairs);
  groups found;
  rank_t next = 0;
  for (const std::uint32_t size : sizes) {
    require_time(given);
    queue.forget();
    std::vector<std::uint32_t> group;
    while (group.size() < size) {
      auto vertex = queue.most_attracted();
      if (!vertex) {
        while (next < pairs.ranks() && queue.taken(next)) ++next;
        if (next == pairs.ranks()) break;
        vertex = next;
      }
      queue.take(*vertex);
      group.push_back(*vertex);
    }
    if (group.empty()) break;
    found.push_back(std::move(group));
  }
  return found;
}

traffic between(const traffic& pairs, const groups& some) {
  std::vector<std::uint32_t> group_of(pairs.ranks());
  for (std::uint32_t g = 0; g < some.size(); ++g) {
    for (const std::uint32_t member : some[g]) group_of[member] = g;
  }
  return between_groups(pairs, group_of, static_cast<rank_t>(some.size()));
}

groups flattened(const groups& outer, const groups& inner) {
  groups all;
  for (const auto& group : outer) {
    auto& one = all.emplace_back();
    for (const std::uint32_t member : group) {
      one.insert(one.end(), inner[member].begin(), inner[member].end());
    }
  }
  return all;
}

std::vector<std::uint32_t> sizes_of(const machine& where, std::span<const std::uint32_t> nodes,
                                    unsigned level) {
  const auto shares = where.allocation.shares();
  std::vector<std::uint32_t> sizes;
  std::uint32_t before = 0;
  for (const std::uint32_t place : nodes) {
    const std::uint32_t group = where.network.group(shares[place].node, level);
    if (sizes.empty() || group != before) sizes.push_back(0);
    ++sizes.back();
    before = group;
  }
  return sizes;
}

bool all_equal(std::span<const std::uint32_t> numbers) {
  return std::ranges::all_of(numbers, [&](std::uint32_t each) { return each == numbers[0]; });
}

}  // namespace

placement tree_grouping(const problem& given) {
  require_slots(given);
  const topology::allocation& allocation = given.where.allocation;
  const std::vector<std::uint32_t> nodes = nodes_by_group(given.where);
  std::vector<std::uint32_t> slots;
  slots.reserve(nodes.size());
  for (const std::uint32_t place : nodes) slots.push_back(allocation.shares()[place].slots);

  traffic pairs = both_ways(given.what.traffic);
  const groups of_nodes = gather(given, pairs, slots);
  pairs = between(pairs, of_nodes);
  groups together;
  for (std::uint32_t g = 0; g < of_nodes.size(); ++g) together.push_back({g});
  std::uint32_t nodes_each = 1;
  for (unsigned level = given.where.network.levels(); level-- > 0 && all_equal(slots);) {
    std::vector<std::uint32_t> sizes = sizes_of(given.where, nodes, level);
    const std::uint32_t nodes_of_group = sizes.front();
    if (!all_equal(sizes)) break;
    for (std::uint32_t& each : sizes) each /= nodes_each;
    const groups larger = gather(given, pairs, sizes);
    pairs = between(pairs, larger);
    together = flattened(larger, together);
    nodes_each = nodes_of_group;
  }

  placement places(given.what.traffic.ranks());
  auto node = nodes.begin();
  for (const auto& group : together) {
    for (const std::uint32_t member : group) {
      topology::slot_t slot = allocation.first_slot(*node++);
      for (const rank_t rank : of_nodes[member]) places[rank] = slot++;
    }
  }
  return places;
}

}  // namespace acre::mapping
