// SPDX-License-Identifier: BSD-3-Clause
#include <acre/topology/dragonfly.hpp>

#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>

#include <algorithm>
#include <array>

namespace acre::topology {
namespace {

struct totals {
  std::size_t nodes;
  std::size_t links;
};

totals count(const dragonfly::shape& form) {
  const auto require = [](bool fits) {
    if (!fits) {
      throw error("topology::dragonfly", "the dragonfly has more than 2^26 nodes or links",
                  "use fewer groups, chassis, blades or nodes");
    }
  };
  std::size_t nodes = 1;
  for (const std::uint32_t each : {form.groups, form.chassis, form.blades, form.nodes}) {
    if (each == 0) {
      throw error("topology::dragonfly", "the dragonfly has 0 groups, chassis, blades or nodes",
                  "each number must be at least 1");
    }
    require(nodes <= most_links_of_word / each);
    nodes *= each;
  }
  for (const double each :
       {form.node_bandwidth, form.blade_bandwidth, form.chassis_bandwidth, form.group_bandwidth}) {
    if (!(each > 0)) {
      throw error("topology::dragonfly", "a kind of link has no bandwidth",
                  "bandwidths must be greater than 0");
    }
  }
  const std::size_t routers = nodes / form.nodes;
  const std::size_t links = 2 * nodes + routers * form.blades + routers * form.chassis +
                            std::size_t{form.groups} * form.groups;
  require(links <= most_links_of_word);
  return {nodes, links};
}

}  // namespace

dragonfly::dragonfly(const shape& form)
    : network(count(form).nodes, count(form).links), form_(form) {
  // Ports to itself are numbered but unused.
  std::uint32_t first = 0;
  const auto add = [&](const char* name, std::size_t owners, std::uint32_t each, double bandwidth) {
    kinds_.push_back({.name = name, .first = first, .each = each, .bandwidth = bandwidth});
    first += static_cast<std::uint32_t>(owners * each);
  };
  const std::size_t routers = nodes() / form.nodes;
  add("node up", nodes(), 1, form.node_bandwidth);
  add("node down", nodes(), 1, form.node_bandwidth);
  add("router to blade", routers, form.blades, form.blade_bandwidth);
  add("router to chassis", routers, form.chassis, form.chassis_bandwidth);
  add("group to group", form.groups, form.groups, form.group_bandwidth);
}

unsigned dragonfly::distance_in_group(std::uint32_t from, std::uint32_t to) const noexcept {
  return (from % form_.blades != to % form_.blades ? 1U : 0U) +
         (from / form_.blades != to / form_.blades ? 1U : 0U);
}

void dragonfly::route_in_group(std::uint32_t from, std::uint32_t to,
                               std::vector<link_t>& crossed) const {
  const std::uint32_t blade_to = to % form_.blades;
  if (from % form_.blades != blade_to) {
    crossed.push_back(link(blade, from, blade_to));
    from = from / form_.blades * form_.blades + blade_to;
  }
  if (from != to) crossed.push_back(link(chassis, from, to / form_.blades % form_.chassis));
}

template <class Inside, class Across>
void dragonfly::walk(std::uint32_t from, std::uint32_t to, Inside&& inside, Across&& across) const {
  const std::uint32_t a_group = routers_of_group();
  const auto go_over = [&](std::uint32_t next) {
    const std::uint32_t group = from / a_group;
    inside(from, group * a_group + next % a_group);
    across(group, next);
    from = next * a_group + group % a_group;
  };
  const std::uint32_t from_group = from / a_group;
  const std::uint32_t to_group = to / a_group;
  if (from_group != to_group) {
    if (form_.ways == routing::valiant && form_.groups > 2) {
      std::uint32_t third = (from + to) % (form_.groups - 2);
      if (third >= std::min(from_group, to_group)) ++third;
      if (third >= std::max(from_group, to_group)) ++third;
      go_over(third);
    }
    go_over(to_group);
  }
  inside(from, to);
}

unsigned dragonfly::distance(node_t from, node_t to) const {
  if (from == to) return 0;
  unsigned links = 2;
  walk(
      from / form_.nodes, to / form_.nodes,
      [&](std::uint32_t here, std::uint32_t there) { links += distance_in_group(here, there); },
      [&](std::uint32_t, std::uint32_t) { ++links; });
  return links;
}

void dragonfly::route(node_t from, node_t to, std::vector<link_t>& crossed) const {
  if (from == to) return;
  crossed.push_back(link(up, from, 0));
  walk(
      from / form_.nodes, to / form_.nodes,
      [&](std::uint32_t here, std::uint32_t there) { route_in_group(here, there, crossed); },
      [&](std::uint32_t here, std::uint32_t there) {
        crossed.push_back(link(global, here, there));
      });
  crossed.push_back(link(down, to, 0));
}

const dragonfly::kind& dragonfly::kind_of(link_t link) const {
  return *std::prev(std::ranges::upper_bound(kinds_, link, {}, &kind::first));
}

double dragonfly::bandwidth(link_t link) const { return kind_of(link).bandwidth; }

std::string dragonfly::link_name(link_t link) const {
  const kind& which = kind_of(link);
  const std::uint32_t place = link - which.first;
  const std::string owner = " " + std::to_string(place / which.each);
  if (which.each == 1 && which.first < kinds_[blade].first) return which.name + owner;
  return which.name + owner + " port " + std::to_string(place % which.each);
}

std::string dragonfly::name() const {
  const std::array numbers{form_.groups, form_.chassis, form_.blades, form_.nodes};
  const std::array speeds{form_.node_bandwidth, form_.blade_bandwidth, form_.chassis_bandwidth,
                          form_.group_bandwidth};
  const char* ways = form_.ways == routing::valiant ? "v" : "";
  return "dragonfly:" + join(numbers) + ways + bandwidths_name(speeds);
}

std::uint32_t dragonfly::group(node_t node, unsigned level) const {
  const std::uint32_t blade_number = node / form_.nodes;
  switch (level) {
    case 0:
      return blade_number / routers_of_group();
    case 1:
      return blade_number / form_.blades;
    default:
      return blade_number;
  }
}

}  // namespace acre::topology
