// SPDX-License-Identifier: BSD-3-Clause
#include <acre/topology/torus.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <string_view>

namespace acre::topology {
namespace {

std::size_t routers_of(const std::vector<torus::dimension>& dimensions, std::uint32_t nodes_each) {
  if (dimensions.empty()) {
    throw error("topology::torus", "the torus has no dimensions", "give at least 1 extent");
  }
  if (nodes_each == 0) {
    throw error("topology::torus", "a router has no nodes", "give at least 1 node per router");
  }
  std::size_t routers = 1;
  for (const torus::dimension& each : dimensions) {
    if (each.extent == 0) {
      throw error("topology::torus", "extent 0 is invalid", "extents must be at least 1");
    }
    if (!(each.bandwidth > 0)) {
      throw error("topology::torus", "a dimension has no bandwidth",
                  "bandwidths must be greater than 0");
    }
    routers *= each.extent;
    if (routers * nodes_each > most_links_of_word / (2 * dimensions.size())) {
      throw error("topology::torus",
                  "the torus is too large: nodes times 2 times dimensions exceed 2^26",
                  "use fewer routers, nodes or dimensions");
    }
  }
  return routers;
}

}  // namespace

torus::torus(std::vector<dimension> dimensions, std::uint32_t nodes_a_router)
    : network(routers_of(dimensions, nodes_a_router) * nodes_a_router,
              routers_of(dimensions, nodes_a_router) * dimensions.size() * 2),
      dimensions_(std::move(dimensions)),
      nodes_a_router_(nodes_a_router) {
  for (const dimension& each : dimensions_) extents_.push_back(each.extent);
}

torus::steps torus::steps_between(const dimension& along, std::uint32_t from,
                                  std::uint32_t to) noexcept {
  const bool up = to > from;
  const std::uint32_t direct = up ? to - from : from - to;
  const std::uint32_t around = along.extent - direct;
  if (!along.wraps || direct < around) return {direct, up};
  if (direct == around && (up || to == 0)) return {direct, up};
  return {around, !up};
}

unsigned torus::distance(node_t from, node_t to) const {
  std::uint32_t here = from / nodes_a_router_;
  std::uint32_t there = to / nodes_a_router_;
  unsigned links = 0;
  for (const dimension& along : dimensions_) {
    links += steps_between(along, here % along.extent, there % along.extent).count;
    here /= along.extent;
    there /= along.extent;
  }
  return links;
}

link_t torus::link_from(std::uint32_t router, std::size_t along, bool up) const {
  return static_cast<link_t>((router * dimensions_.size() + along) * 2 + (up ? 0 : 1));
}

void torus::route(node_t from, node_t to, std::vector<link_t>& crossed) const {
  std::uint32_t router = from / nodes_a_router_;
  const std::uint32_t target = to / nodes_a_router_;
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const std::uint32_t extent = dimensions_[d].extent;
    std::uint32_t place = router / stride % extent;
    const std::uint32_t others = router - place * stride;
    const steps way = steps_between(dimensions_[d], place, target / stride % extent);
    for (std::uint32_t step = 0; step < way.count; ++step) {
      crossed.push_back(link_from(others + place * stride, d, way.up));
      place = (place + (way.up ? 1 : extent - 1)) % extent;
    }
    router = others + place * stride;
    stride *= extent;
  }
}

double torus::bandwidth(link_t link) const {
  return dimensions_[link / 2 % dimensions_.size()].bandwidth;
}

std::uint32_t torus::group(node_t node, unsigned) const { return node / nodes_a_router_; }

std::string torus::link_name(link_t link) const {
  std::uint32_t router = static_cast<std::uint32_t>(link / 2 / dimensions_.size());
  std::string text = "(";
  for (const std::uint32_t extent : extents_) {
    text += (text.size() > 1 ? "," : "") + std::to_string(router % extent);
    router /= extent;
  }
  const std::size_t along = link / 2 % dimensions_.size();
  constexpr std::string_view axes = "xyz";
  text += link % 2 == 0 ? ") +" : ") -";
  return text + (along < axes.size() ? std::string(1, axes[along]) : std::to_string(along));
}

std::string torus::name() const {
  const bool wraps = std::ranges::any_of(dimensions_, &dimension::wraps);
  std::string text = wraps ? "torus:" : "mesh:";
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (d != 0) text += 'x';
    text += std::to_string(dimensions_[d].extent);
    if (wraps && !dimensions_[d].wraps) text += 'm';
  }
  if (nodes_a_router_ != 1) text += "*" + std::to_string(nodes_a_router_);
  std::vector<double> speeds;
  speeds.reserve(dimensions_.size());
  for (const dimension& each : dimensions_) speeds.push_back(each.bandwidth);
  return text + bandwidths_name(speeds);
}

torus hypercube(unsigned dimensions, double bandwidth) {
  if (dimensions == 0 || dimensions > 26) {
    throw error("topology::hypercube",
                "a hypercube of " + std::to_string(dimensions) + " dimensions is invalid",
                "use 1 to 26 dimensions");
  }
  return torus(std::vector<torus::dimension>(
      dimensions, {.extent = 2, .wraps = false, .bandwidth = bandwidth}));
}

}  // namespace acre::topology
