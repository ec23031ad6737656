#include <acre/mapping/detail/slot_order.hpp>

#include <acre/mapping/structured.hpp>

#include <algorithm>
#include <cstddef>

namespace acre::mapping {
namespace {

/// How many nodes each group of a level has; 0 when they differ.
std::uint32_t nodes_a_group(const machine& where, const std::vector<std::uint32_t>& nodes,
                            unsigned level) {
  const auto shares = where.allocation.shares();
  const auto group = [&](std::size_t i) {
    return where.network.group(shares[nodes[i]].node, level);
  };
  std::uint32_t all = 0;
  for (std::size_t begin = 0; begin < nodes.size();) {
    std::size_t end = begin + 1;
    while (end < nodes.size() && group(end) == group(begin)) ++end;
    const auto here = static_cast<std::uint32_t>(end - begin);
    if (all != 0 && here != all) return 0;
    all = here;
    begin = end;
  }
  return all;
}

}  // namespace

slot_order slots_by_group(const machine& where) {
  const bool in_grid = where.network.levels() == 0 && !where.network.extents().empty();
  const std::vector<std::uint32_t> nodes =
      in_grid ? nodes_along(where, hilbert) : nodes_by_group(where);
  const auto shares = where.allocation.shares();
  slot_order found;
  found.slots.reserve(where.allocation.slots());
  for (const std::uint32_t place : nodes) {
    for (std::uint32_t i = 0; i < shares[place].slots; ++i) {
      found.slots.push_back(where.allocation.first_slot(place) + i);
    }
  }
  const std::uint32_t slots = shares[0].slots;
  if (!std::ranges::all_of(shares, [&](const auto& each) { return each.slots == slots; })) {
    return found;
  }
  found.sizes.push_back(slots);
  for (unsigned level = where.network.levels(); level-- > 0;) {
    const std::uint32_t size = slots * nodes_a_group(where, nodes, level);
    if (size > found.sizes.back() && size % found.sizes.back() == 0) found.sizes.push_back(size);
  }
  if (in_grid) {
    found.alike = false;
    for (std::size_t cube = 8; nodes.size() % cube == 0 && cube < nodes.size(); cube *= 8) {
      found.sizes.push_back(slots * static_cast<std::uint32_t>(cube));
    }
  }
  return found;
}

}  // namespace acre::mapping
