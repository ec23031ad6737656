// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/node_boxes.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>
#include <acre/layout/grid_search.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace acre::layout {

bool is_node_balanced(std::span<const std::size_t> parts, node_members nodes) {
  std::size_t left = nodes.number;
  if (left == 0) return false;
  for (std::size_t d = parts.size(); d-- > 0;) {
    if (left % parts[d] != 0) return parts[d] % left == 0;  // a part of this dimension's rows
    left /= parts[d];
  }
  return left == 1;
}

void find_parts(std::span<std::size_t> parts, std::span<const std::size_t> extents,
                member_t members, node_members nodes) {
  std::vector<std::size_t> best;
  double least = std::numeric_limits<double>::infinity();
  each_grid(parts, members, [&](std::span<const std::size_t> grid) {
    if (!is_node_balanced(grid, nodes)) return;
    const double now = contact(grid, extents);
    // The last tie wins: long rows.
    if (!best.empty() && now > least * (1 + 1e-9)) return;
    least = now;
    best.assign(grid.begin(), grid.end());
  });
  if (best.empty()) {
    throw error("make_pattern",
                std::to_string(members) + " members on nodes of " + std::to_string(nodes.number) +
                    " form no node-balanced grid of " + extents_text(parts) + " (0: open)",
                "fill all nodes, leave more parts open, or omit node_balanced_arrangement");
  }
  std::ranges::copy(best, parts.begin());
}

}  // namespace acre::layout
