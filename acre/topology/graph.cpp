// SPDX-License-Identifier: BSD-3-Clause
#include <acre/topology/graph.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>
#include <unordered_map>

namespace acre::topology {
namespace {

constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

}  // namespace

/// Cache of distances to gateways, limited in memory.
class graph::known_distances {
 public:
  using distances = std::shared_ptr<const std::vector<std::uint32_t>>;

  [[nodiscard]] distances to(const graph& network, vertex_t gateway) {
    {
      const std::lock_guard hold(lock_);
      if (const auto found = known_.find(gateway); found != known_.end()) return found->second;
    }
    distances searched = search(network, gateway);
    const std::lock_guard hold(lock_);
    constexpr std::size_t most_numbers = std::size_t{1} << 26;
    if (known_.size() > 1 && (known_.size() + 1) * searched->size() > most_numbers) {
      known_.erase(known_.begin());
    }
    return known_.emplace(gateway, std::move(searched)).first->second;
  }

 private:
  [[nodiscard]] static distances search(const graph& network, vertex_t gateway) {
    const vertex_t first = network.first_gateway_;
    std::vector<std::uint32_t> steps(network.gateway_.size() - first, unreached);
    std::vector<vertex_t> queue{gateway};
    steps[gateway - first] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const vertex_t here = queue[next];
      for (const port& way : network.ports(here)) {
        if (network.gateway_[way.to] != way.to || steps[way.to - first] != unreached) continue;
        steps[way.to - first] = steps[here - first] + 1;
        queue.push_back(way.to);
      }
    }
    return std::make_shared<const std::vector<std::uint32_t>>(std::move(steps));
  }

  std::mutex lock_;
  std::unordered_map<vertex_t, distances> known_;
};

class graph::distances_to {
 public:
  distances_to(const graph& network, vertex_t to)
      : network_(network),
        to_(to),
        behind_gateway_(network.gateway_[to] == to ? 0 : 1),
        between_gateways_(network.known_->to(network, network.gateway_[to])) {}

  [[nodiscard]] std::uint32_t operator[](vertex_t from) const {
    if (from == to_) return 0;
    const vertex_t gateway = network_.gateway_[from];
    const std::uint32_t between = (*between_gateways_)[gateway - network_.first_gateway_];
    if (between == unreached) return unreached;
    return (gateway == from ? 0U : 1U) + between + behind_gateway_;
  }

 private:
  const graph& network_;
  vertex_t to_;
  std::uint32_t behind_gateway_;
  known_distances::distances between_gateways_;
};

graph::graph(node_t nodes, std::uint32_t switches, std::vector<cable> cables, grouping groups)
    : network(nodes, 2 * cables.size()),
      cables_(std::move(cables)),
      first_port_(std::size_t{nodes} + switches + 1),
      groups_(std::move(groups)),
      known_(std::make_unique<known_distances>()) {
  for (const auto& level : groups_) {
    if (level.size() != nodes) {
      throw error("topology::graph", "a level does not have exactly one group per node",
                  "give one group per node and level");
    }
  }
  join_ports();
  find_gateways();
  const distances_to first(*this, 0);
  for (node_t node = 0; node < nodes; ++node) {
    if (first[node] != unreached) continue;
    throw error("topology::graph", "no path connects node 0 to node " + std::to_string(node),
                "list all cables, also those between switches");
  }
}

void graph::join_ports() {
  const std::size_t vertices = first_port_.size() - 1;
  for (const cable& each : cables_) {
    const std::string ends = std::to_string(each.a) + " - " + std::to_string(each.b);
    if (each.a >= vertices || each.b >= vertices) {
      throw error("topology::graph",
                  "the cable " + ends + " has an end outside of the graph of " +
                      std::to_string(vertices) + " vertices",
                  "vertices are numbered from 0");
    }
    if (each.a == each.b) {
      throw error("topology::graph", "the cable " + ends + " is a loop",
                  "connect two different vertices");
    }
    if (!(each.bandwidth > 0)) {
      throw error("topology::graph", "the cable " + ends + " has no bandwidth",
                  "bandwidths must be greater than 0");
    }
    ++first_port_[each.a + 1];
    ++first_port_[each.b + 1];
  }
  for (std::size_t v = 0; v < vertices; ++v) first_port_[v + 1] += first_port_[v];
  ports_.resize(2 * cables_.size());
  std::vector<std::uint32_t> next(first_port_.begin(), first_port_.end() - 1);
  for (std::size_t c = 0; c < cables_.size(); ++c) {
    const auto there = static_cast<link_t>(2 * c);
    ports_[next[cables_[c].a]++] = {.to = cables_[c].b, .link = there};
    ports_[next[cables_[c].b]++] = {.to = cables_[c].a, .link = there + 1};
  }
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto begin = ports_.begin();
    std::sort(begin + first_port_[v], begin + first_port_[v + 1], [](const port& a, const port& b) {
      return a.to != b.to ? a.to < b.to : a.link < b.link;
    });
  }
}

void graph::find_gateways() {
  gateway_.resize(first_port_.size() - 1);
  std::iota(gateway_.begin(), gateway_.end(), vertex_t{0});
  for (node_t node = 0; node < nodes(); ++node) {
    const auto ways = ports(node);
    if (ways.empty() || ways.front().to != ways.back().to) continue;
    if (ways.front().to >= nodes()) gateway_[node] = ways.front().to;
  }
  while (first_gateway_ < gateway_.size() && gateway_[first_gateway_] != first_gateway_)
    ++first_gateway_;
}

graph::~graph() = default;

unsigned graph::distance(node_t from, node_t to) const { return distances_to(*this, to)[from]; }

void graph::route(node_t from, node_t to, std::vector<link_t>& crossed) const {
  const distances_to left(*this, to);
  for (vertex_t here = from; here != to;) {
    const auto nearer = [&](const port& way) { return left[way.to] + 1 == left[here]; };
    const auto ways = ports(here);
    auto which = static_cast<std::ptrdiff_t>(to) % std::ranges::count_if(ways, nearer);
    const auto chosen =
        std::ranges::find_if(ways, [&](const port& way) { return nearer(way) && which-- == 0; });
    crossed.push_back(chosen->link);
    here = chosen->to;
  }
}

double graph::bandwidth(link_t link) const { return cables_[link / 2].bandwidth; }

std::string graph::link_name(link_t link) const {
  const auto name = [&](vertex_t vertex) {
    return vertex < nodes() ? "node " + std::to_string(vertex)
                            : "switch " + std::to_string(vertex - nodes());
  };
  const cable& along = cables_[link / 2];
  return link % 2 == 0 ? name(along.a) + " to " + name(along.b)
                       : name(along.b) + " to " + name(along.a);
}

}  // namespace acre::topology
