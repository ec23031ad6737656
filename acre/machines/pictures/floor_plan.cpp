// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/floor_plan.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

namespace acre::machines {
namespace {

using topology::network;
using topology::node_t;

struct cluster {
  std::string label;
  std::vector<cluster> parts;
  std::vector<node_t> nodes;
  std::uint32_t columns = 0;
};

struct size {
  double width = 0;
  double height = 0;
};

std::vector<node_t> drawn_nodes(const mapping::machine& where) {
  constexpr std::size_t most = 16384;
  std::vector<node_t> nodes;
  if (where.network.nodes() <= most) {
    nodes.resize(where.network.nodes());
    std::iota(nodes.begin(), nodes.end(), node_t{0});
  } else {
    for (const auto& share : where.allocation.shares()) nodes.push_back(share.node);
    std::ranges::sort(nodes);
  }
  return nodes;
}

std::string slice_label(std::span<const std::uint32_t> extents, std::size_t slice) {
  if (extents.size() == 3) return "z = " + std::to_string(slice);
  std::string text;
  for (const std::uint32_t extent : extents.subspan(2)) {
    text += (text.empty() ? "" : ",") + std::to_string(slice % extent);
    slice /= extent;
  }
  return text;
}

/// A slice per index of the higher dimensions.
cluster slices(const network& network, const std::vector<node_t>& nodes) {
  const auto extents = network.extents();
  const std::size_t nodes_a_router = network.nodes_a_router();
  const std::size_t routers = network.nodes() / nodes_a_router;
  const std::size_t plane = extents[0] * (extents.size() > 1 ? std::size_t{extents[1]} : 1);
  const auto columns = static_cast<std::uint32_t>(extents[0] * nodes_a_router);
  cluster whole;
  for (std::size_t slice = 0; slice < routers / plane; ++slice) {
    whole.parts.push_back({.label = extents.size() > 2 ? slice_label(extents, slice) : "",
                           .parts = {},
                           .nodes = {},
                           .columns = extents.size() > 1 ? columns : 0});
  }
  for (const node_t node : nodes) {
    whole.parts[node / nodes_a_router / plane].nodes.push_back(node);
  }
  return whole;
}

cluster groups(const network& network, std::span<const node_t> nodes, unsigned level) {
  cluster whole;
  if (level == network.levels()) {
    whole.nodes.assign(nodes.begin(), nodes.end());
    return whole;
  }
  while (!nodes.empty()) {
    const std::uint32_t group = network.group(nodes.front(), level);
    const auto end = std::ranges::find_if(
        nodes, [&](node_t node) { return network.group(node, level) != group; });
    const auto count = static_cast<std::size_t>(end - nodes.begin());
    whole.parts.push_back(groups(network, nodes.first(count), level + 1));
    whole.parts.back().label = "group " + std::to_string(group);
    nodes = nodes.subspan(count);
  }
  return whole;
}

void sort_by_group(const network& network, std::vector<node_t>& nodes) {
  std::ranges::sort(nodes, [&](node_t a, node_t b) {
    const auto by_group = network.compare_groups(a, b);
    return by_group != 0 ? by_group < 0 : a < b;
  });
}

cluster clusters_of(const mapping::machine& where) {
  std::vector<node_t> nodes = drawn_nodes(where);
  if (!where.network.extents().empty() && nodes.size() == where.network.nodes()) {
    return slices(where.network, nodes);
  }
  sort_by_group(where.network, nodes);
  return groups(where.network, nodes, 0);
}

class planner {
 public:
  planner(double aspect, double label_height) : aspect_(aspect), label_height_(label_height) {}

  size measure(const cluster& what, unsigned depth = 0) const {
    if (what.parts.empty()) {
      const auto [columns, rows] = node_grid(what);
      return {columns + 2 * pad(what), rows + 2 * pad(what) + header(what, depth)};
    }
    const size part = largest_part(what, depth);
    const auto [columns, rows] = part_grid(what, part, depth);
    return {columns * part.width + (columns - 1) * gap(what) + 2 * pad(what),
            rows * part.height + (rows - 1) * gap(what) + 2 * pad(what) + header(what, depth)};
  }

  void place(const cluster& what, point at, double scale, floor_plan& plan,
             unsigned depth = 0) const {
    const size own = measure(what, depth);
    if (depth > 0) {
      plan.areas.push_back({{at.x, at.y, own.width * scale, own.height * scale},
                            header(what, depth) > 0 ? what.label : ""});
    }
    const point inner{at.x + pad(what) * scale, at.y + (pad(what) + header(what, depth)) * scale};
    if (what.parts.empty()) return place_nodes(what, inner, scale, plan);
    const size part = largest_part(what, depth);
    const auto columns = static_cast<std::size_t>(part_grid(what, part, depth)[0]);
    for (std::size_t i = 0; i < what.parts.size(); ++i) {
      const auto [column, row] = place_of(i, columns);
      place(what.parts[i],
            {inner.x + column * (part.width + gap(what)) * scale,
             inner.y + row * (part.height + gap(what)) * scale},
            scale, plan, depth + 1);
    }
  }

 private:
  static unsigned height(const cluster& what) {
    return what.parts.empty() ? 0 : 1 + height(what.parts.front());
  }
  static double pad(const cluster& what) { return 0.3 + 0.15 * height(what); }
  static double gap(const cluster& what) { return 0.1 + 0.25 * height(what); }
  double header(const cluster& what, unsigned depth) const {
    return depth == 1 && !what.label.empty() ? label_height_ : 0;
  }

  std::array<double, 2> node_grid(const cluster& what) const {
    const auto nodes = static_cast<double>(what.nodes.size());
    const double columns = what.columns != 0 ? what.columns : std::ceil(std::sqrt(nodes));
    return {columns, std::ceil(nodes / columns)};
  }

  std::array<double, 2> part_grid(const cluster& what, const size& part, unsigned depth) const {
    const double wanted = depth == 0 ? aspect_ : 1;
    const std::size_t parts = what.parts.size();
    std::array<double, 2> best{};
    double least = -1;
    for (std::size_t each = 1; each <= parts; ++each) {
      const auto columns = static_cast<double>(each);
      const double rows = std::ceil(static_cast<double>(parts) / columns);
      const double side = std::max(columns * part.width / wanted, rows * part.height);
      if (least >= 0 && side >= least) continue;
      least = side;
      best = {columns, rows};
    }
    return best;
  }

  size largest_part(const cluster& what, unsigned depth) const {
    size largest;
    for (const cluster& each : what.parts) {
      const size own = measure(each, depth + 1);
      largest = {std::max(largest.width, own.width), std::max(largest.height, own.height)};
    }
    return largest;
  }

  void place_nodes(const cluster& what, point at, double scale, floor_plan& plan) const {
    const auto columns = static_cast<std::size_t>(node_grid(what)[0]);
    for (std::size_t i = 0; i < what.nodes.size(); ++i) {
      const auto [column, row] = place_of(i, columns);
      plan.nodes[what.nodes[i]] = {at.x + column * scale, at.y + row * scale, scale, scale};
    }
  }

  double aspect_;
  double label_height_;
};

}  // namespace

floor_plan plan_floor(const mapping::machine& where, double width, double height) {
  const cluster whole = clusters_of(where);
  floor_plan plan;
  plan.nodes.resize(where.network.nodes(), box{0, 0, 0, 0});
  // Labels do not scale, so iterate.
  double scale = 10;
  for (int round = 0; round < 8; ++round) {
    const size all = planner(width / height, (label_style.size + 3) / scale).measure(whole);
    scale = std::min(width / all.width, height / all.height);
  }
  constexpr double largest_node = 48;
  scale = std::min(scale, largest_node);
  const planner last(width / height, (label_style.size + 3) / scale);
  const size all = last.measure(whole);
  plan.width = all.width * scale;
  plan.height = all.height * scale;
  last.place(whole, {0, 0}, scale, plan);
  return plan;
}

}  // namespace acre::machines
