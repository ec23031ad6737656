// SPDX-License-Identifier: BSD-3-Clause
// Draws link loads: a map of a torus, or a profile per kind of link.
#include <acre/machines/pictures/parts.hpp>
#include <acre/machines/pictures/quantity.hpp>
#include <acre/topology/torus.hpp>

#include <algorithm>
#include <array>

namespace acre::machines {
namespace {

using topology::link_t;
using topology::torus;

constexpr double profile_height = 46;
constexpr double profile_step = profile_height + 30;

class link_map {
 public:
  link_map(point at, const torus& network, const floor_plan& plan)
      : at_(at), network_(network), plan_(plan) {}

  void add_link(std::size_t router, std::size_t along, bool up, const colour& ink) {
    const box where = cell(router);
    const std::size_t extent = network_.extents()[along];
    const std::size_t stride = along == 0 ? 1 : network_.extents()[0];
    const std::size_t place = router / stride % extent;
    const bool around = up ? place + 1 == extent : place == 0;
    const double size = along == 0 ? where.width : where.height;
    const double length = size * (around ? 0.72 - router_half : 1 - 2 * router_half);
    const double begin = size * router_half;
    const double side = std::min(where.width, where.height) * 0.13;
    const double half = std::min(where.width, where.height) * 0.095;
    const auto [x, y] = where.middle();
    const double first = up ? begin : -begin - length;
    const double beside = up == (along == 0) ? side : -side;
    drawn_[ink].push_back(along == 0 ? box{x + first, y + beside - half, length, 2 * half}
                                     : box{x + beside - half, y + first, 2 * half, length});
  }

  /// Third dimension: drawn in the router, up left, down right.
  void add_third(std::size_t router, bool up, const colour& ink) {
    const box where = router_box(router);
    const double half = where.width / 2;
    drawn_[ink].push_back({up ? where.x : where.x + half, where.y, half, where.height});
  }

  void add_router(std::size_t router, bool filled) {
    routers_.push_back(router_box(router));
    if (filled) drawn_[{0.80, 0.82, 0.85}].push_back(routers_.back());
  }

  void draw(canvas& page) const {
    page.fill(drawn_);
    if (!routers_.empty()) {
      page.frame(routers_, grey, std::min(0.5, routers_.front().width * 0.06));
    }
  }

 private:
  static constexpr double router_half = 0.24;

  [[nodiscard]] box cell(std::size_t router) const {
    const std::size_t each = network_.nodes_a_router();
    const box& first = plan_.nodes[router * each];
    const box& last = plan_.nodes[router * each + each - 1];
    return {at_.x + first.x, at_.y + first.y, last.x + last.width - first.x, first.height};
  }

  [[nodiscard]] box router_box(std::size_t router) const {
    const box where = cell(router);
    return {where.x + where.width * (0.5 - router_half),
            where.y + where.height * (0.5 - router_half), where.width * 2 * router_half,
            where.height * 2 * router_half};
  }

  point at_;
  const torus& network_;
  const floor_plan& plan_;
  boxes_by_colour drawn_;
  std::vector<box> routers_;
};

double share_of(double load, double most) { return most > 0 ? load / most : 0; }

}  // namespace

std::vector<double> link_loads(const mapping::problem& given, const mapping::placement& places) {
  std::vector<double> loads = mapping::link_bytes(given.where, given.what.traffic, places);
  for (std::size_t link = 0; link < loads.size(); ++link) {
    loads[link] /= given.where.network.bandwidth(static_cast<link_t>(link));
  }
  return loads;
}

bool has_link_map(const mapping::machine& where, const floor_plan& plan) {
  const auto* network = dynamic_cast<const torus*>(&where.network);
  if (network == nullptr) return false;
  const std::size_t dimensions = network->extents().size();
  constexpr double smallest_node = 5;
  return network->nodes() > 1 && (dimensions == 2 || dimensions == 3) &&
         std::ranges::all_of(plan.nodes,
                             [](const box& each) { return each.width >= smallest_node; });
}

void draw_link_map(canvas& page, point at, const mapping::machine& where,
                   std::span<const double> loads, double most, const floor_plan& plan) {
  const auto& network = dynamic_cast<const torus&>(where.network);
  for (const auto& [area, label] : plan.areas) {
    page.frame({at.x + area.x, at.y + area.y, area.width, area.height}, pale, 0.7);
    if (page.width_of(label, label_style) > area.width - 4) continue;
    page.text({at.x + area.x + 3, at.y + area.y + label_style.size}, label, label_style);
  }
  link_map map(at, network, plan);
  const std::size_t dimensions = network.extents().size();
  const std::size_t routers = network.nodes() / network.nodes_a_router();
  for (std::size_t router = 0; router < routers; ++router) {
    for (std::size_t i = 0; i < 2 * dimensions; ++i) {
      const std::size_t link = router * dimensions * 2 + i;
      if (!is_there(network, static_cast<link_t>(link))) continue;
      const bool up = i % 2 == 0;
      const colour ink = load_colour(share_of(loads[link], most));
      i / 2 == 2 ? map.add_third(router, up, ink) : map.add_link(router, i / 2, up, ink);
    }
    map.add_router(router, dimensions == 2);
  }
  map.draw(page);
}

void draw_load_legend(canvas& page, point at, double most) {
  const std::string words = "seconds that a link needs for a round:  0";
  page.text(at, words, label_style);
  double x = at.x + page.width_of(words, label_style) + 5;
  constexpr std::size_t steps = 48;
  constexpr double step = 4;
  for (std::size_t i = 0; i < steps; ++i) {
    page.fill({x + static_cast<double>(i) * step, at.y - 8, step + 0.3, 9},
              load_colour(static_cast<double>(i) / (steps - 1)));
  }
  x += steps * step + 5;
  page.text({x, at.y}, in_seconds(most), label_style);
}

double link_profile_height(std::size_t kinds) { return static_cast<double>(kinds) * profile_step; }

void draw_link_profile(canvas& page, const box& area, std::span<const link_kind> kinds,
                       std::span<const double> loads, double most) {
  double y = area.y;
  for (const link_kind& kind : kinds) {
    std::vector<double> sorted;
    sorted.reserve(kind.links.size());
    for (const link_t link : kind.links) sorted.push_back(loads[link]);
    std::ranges::sort(sorted, std::greater<>());
    const auto used = std::ranges::count_if(sorted, [](double load) { return load > 0; });
    const std::string words = kind.name + ": " + std::to_string(used) + " of " +
                              std::to_string(sorted.size()) + " links used, the busiest " +
                              in_seconds(sorted.front());
    page.text({area.x, y + 12}, page.fitted(words, area.width, {.size = 10}), {.size = 10});
    const double base = y + 18 + profile_height;
    for (std::size_t first = 0, end = 0; first < sorted.size() && sorted[first] > 0; first = end) {
      while (end < sorted.size() && sorted[end] == sorted[first]) ++end;
      const double share = share_of(sorted[first], most);
      const auto x = [&](std::size_t link) {
        return area.width * static_cast<double>(link) / static_cast<double>(sorted.size());
      };
      page.fill({area.x + x(first), base - share * profile_height, x(end) - x(first),
                 share * profile_height},
                load_colour(share));
    }
    page.line({area.x, base}, {area.x + area.width, base}, grey, 0.6);
    page.line({area.x, base - profile_height}, {area.x + area.width, base - profile_height}, pale,
              0.6);
    y += profile_step;
  }
}

}  // namespace acre::machines
