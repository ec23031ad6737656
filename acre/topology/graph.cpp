#include <acre/topology/graph.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <limits>
#include <mutex>
#include <unordered_map>

namespace acre::topology {
namespace {

constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

}  // namespace

/// Distances of all vertices to a target, for as many targets as are worth their memory.
class graph::known_distances {
 public:
  using distances = std::shared_ptr<const std::vector<std::uint32_t>>;

  [[nodiscard]] distances to(const graph& network, vertex_t target) {
    {
      const std::lock_guard hold(lock_);
      if (const auto found = known_.find(target); found != known_.end()) return found->second;
    }
    distances searched = search(network, target);
    const std::lock_guard hold(lock_);
    constexpr std::size_t most_numbers = std::size_t{1} << 24;
    if ((known_.size() + 1) * searched->size() > most_numbers) known_.clear();
    return known_.emplace(target, std::move(searched)).first->second;
  }

 private:
  [[nodiscard]] static distances search(const graph& network, vertex_t target) {
    std::vector<std::uint32_t> steps(network.first_port_.size() - 1, unreached);
    std::vector<vertex_t> queue{target};
    steps[target] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (const port& way : network.ports(queue[next])) {
        if (steps[way.to] != unreached) continue;
        steps[way.to] = steps[queue[next]] + 1;
        queue.push_back(way.to);
      }
    }
    return std::make_shared<const std::vector<std::uint32_t>>(std::move(steps));
  }

  std::mutex lock_;
  std::unordered_map<vertex_t, distances> known_;
};

graph::graph(node_t nodes, std::uint32_t switches, std::vector<cable> cables, grouping groups)
    : network(nodes, 2 * cables.size()),
      cables_(std::move(cables)),
      groups_(std::move(groups)),
      known_(std::make_unique<known_distances>()) {
  const std::uint64_t vertices = std::uint64_t{nodes} + switches;
  for (const auto& level : groups_) {
    if (level.size() != nodes) throw error("topology::graph", "a level lacks groups of nodes");
  }
  first_port_.resize(vertices + 1);
  for (const cable& each : cables_) {
    const std::string ends = std::to_string(each.a) + " - " + std::to_string(each.b);
    if (each.a >= vertices || each.b >= vertices) {
      throw error("topology::graph", "the cable " + ends + " leads out of the graph, which has " +
                                         std::to_string(vertices) + " vertices");
    }
    if (each.a == each.b) throw error("topology::graph", "the cable " + ends + " is a loop");
    if (!(each.bandwidth > 0)) {
      throw error("topology::graph", "the cable " + ends + " has no bandwidth");
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
  const auto from_first = known_->to(*this, 0);
  for (node_t node = 0; node < nodes; ++node) {
    if ((*from_first)[node] != unreached) continue;
    throw error("topology::graph", "no way leads from node 0 to node " + std::to_string(node),
                "name all cables, those between switches too");
  }
}

graph::~graph() = default;

unsigned graph::distance(node_t from, node_t to) const { return (*known_->to(*this, to))[from]; }

void graph::route(node_t from, node_t to, std::vector<link_t>& crossed) const {
  const auto distances = known_->to(*this, to);
  const std::vector<std::uint32_t>& left = *distances;
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
