// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/slot_order.hpp>

#include <acre/mapping/structured.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace acre::mapping {
namespace {

/// Slots of a padded group: those of the level below times the largest number of parts.
class group_sizes {
 public:
  group_sizes(const machine& where, std::span<const std::uint32_t> nodes)
      : where_(where), nodes_(nodes) {}

  /// Sizes by level, nodes first, while padding stays within limits; empty if nodes are too uneven.
  [[nodiscard]] std::vector<std::uint32_t> all() const {
    const auto shares = where_.allocation.shares();
    const std::uint64_t most = 64 + 4 * std::uint64_t{where_.allocation.slots()};
    std::uint32_t of_node = 0;
    for (const auto& share : shares) of_node = std::max(of_node, share.slots);
    if (std::uint64_t{of_node} * shares.size() > most) return {};
    std::vector<std::uint32_t> sizes{of_node};
    for (unsigned level = where_.network.levels(); level-- > 0;) {
      const std::uint64_t size = std::uint64_t{sizes.back()} * most_parts(level);
      if (size * groups(level) > most) break;
      sizes.push_back(static_cast<std::uint32_t>(size));
    }
    return sizes;
  }
  [[nodiscard]] std::uint32_t group(std::size_t node, unsigned level) const {
    return where_.network.group(where_.allocation.shares()[nodes_[node]].node, level);
  }

 private:
  [[nodiscard]] std::uint64_t groups(unsigned level) const {
    std::uint64_t found = 0;
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      found += node == 0 || group(node, level) != group(node - 1, level) ? 1 : 0;
    }
    return found;
  }
  [[nodiscard]] std::uint32_t most_parts(unsigned level) const {
    const bool of_nodes = level + 1 == where_.network.levels();
    std::uint32_t most = 0;
    std::uint32_t parts = 0;
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      const bool begins = node == 0 || group(node, level) != group(node - 1, level);
      const bool is_new =
          begins || of_nodes || group(node, level + 1) != group(node - 1, level + 1);
      parts = begins ? 1 : parts + (is_new ? 1 : 0);
      most = std::max(most, parts);
    }
    return most;
  }

  const machine& where_;
  std::span<const std::uint32_t> nodes_;
};

}  // namespace

slot_order slots_by_group(const machine& where) {
  const bool in_grid = where.network.levels() == 0 && !where.network.extents().empty();
  const std::vector<std::uint32_t> nodes =
      in_grid ? nodes_along(where, hilbert) : nodes_by_group(where);
  const group_sizes groups(where, nodes);
  std::vector<std::uint32_t> sizes = groups.all();
  slot_order found;
  const auto fill_up = [&](std::uint32_t size) {
    while (found.slots.size() % size != 0) found.slots.push_back(slot_order::missing);
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t inner = 1; i > 0 && inner < sizes.size(); ++inner) {
      const auto level = static_cast<unsigned>(where.network.levels() - inner);
      if (groups.group(i, level) != groups.group(i - 1, level)) fill_up(sizes[inner]);
    }
    for (std::uint32_t s = 0; s < where.allocation.shares()[nodes[i]].slots; ++s) {
      found.slots.push_back(where.allocation.first_slot(nodes[i]) + s);
    }
    if (!sizes.empty()) fill_up(sizes.front());
  }
  if (sizes.empty()) return found;
  fill_up(sizes.back());
  if (in_grid) {
    found.alike = false;
    for (std::size_t cube = 8; nodes.size() % cube == 0 && cube < nodes.size(); cube *= 8) {
      sizes.push_back(sizes.front() * static_cast<std::uint32_t>(cube));
    }
  }
  const auto doubled = std::ranges::unique(sizes);
  sizes.erase(doubled.begin(), doubled.end());
  found.sizes = std::move(sizes);
  return found;
}

}  // namespace acre::mapping
