// SPDX-License-Identifier: BSD-3-Clause
// Groups nodes by joining cables bottom-up, until one group remains.
#include <acre/topology/graph.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace acre::topology {
namespace {

using vertex_t = graph::vertex_t;
constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

class joined_vertices {
 public:
  explicit joined_vertices(std::size_t vertices) : parent_(vertices) {
    std::iota(parent_.begin(), parent_.end(), vertex_t{0});
  }
  vertex_t root(vertex_t of) {
    while (parent_[of] != of) of = parent_[of] = parent_[parent_[of]];
    return of;
  }
  void join(vertex_t a, vertex_t b) { parent_[root(a)] = root(b); }

 private:
  std::vector<vertex_t> parent_;
};

/// Distance to the nearest node.
std::vector<std::uint32_t> heights(node_t nodes, std::uint32_t switches,
                                   std::span<const graph::cable> cables) {
  std::vector<std::vector<vertex_t>> neighbours(std::size_t{nodes} + switches);
  for (const graph::cable& each : cables) {
    neighbours[each.a].push_back(each.b);
    neighbours[each.b].push_back(each.a);
  }
  std::vector<std::uint32_t> height(neighbours.size(), unreached);
  std::fill_n(height.begin(), nodes, 0U);
  std::vector<vertex_t> queue(nodes);
  std::iota(queue.begin(), queue.end(), vertex_t{0});
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const vertex_t other : neighbours[queue[next]]) {
      if (height[other] != unreached) continue;
      height[other] = height[queue[next]] + 1;
      queue.push_back(other);
    }
  }
  return height;
}

}  // namespace

graph::grouping groups_by_switches(node_t nodes, std::uint32_t switches,
                                   std::span<const graph::cable> cables) {
  constexpr std::uint32_t most_levels = 16;
  const std::vector<std::uint32_t> height = heights(nodes, switches, cables);
  // Cables between adjacent heights, indexed by the lower height.
  std::vector<std::vector<const graph::cable*>> rising(most_levels);
  for (const graph::cable& each : cables) {
    const std::uint32_t lower = std::min(height[each.a], height[each.b]);
    if (height[each.a] != height[each.b] && lower < most_levels) rising[lower].push_back(&each);
  }
  joined_vertices joined(height.size());
  graph::grouping found;
  std::size_t before = nodes;
  for (const auto& cables_here : rising) {
    for (const graph::cable* each : cables_here) joined.join(each->a, each->b);
    std::vector<std::uint32_t> number(height.size(), unreached);
    std::vector<std::uint32_t> level(nodes);
    std::uint32_t groups = 0;
    for (node_t node = 0; node < nodes; ++node) {
      std::uint32_t& known = number[joined.root(node)];
      if (known == unreached) known = groups++;
      level[node] = known;
    }
    if (groups <= 1) break;
    if (groups < before) found.insert(found.begin(), std::move(level));
    before = groups;
  }
  return found;
}

}  // namespace acre::topology
