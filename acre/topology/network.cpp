#include <acre/topology/network.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <limits>

namespace acre::topology {

network::network(std::size_t nodes, std::size_t links) : nodes_(nodes), links_(links) {
  if (nodes == 0) throw error("topology::network", "a network has no node");
  if (nodes > std::numeric_limits<node_t>::max() || links > std::numeric_limits<link_t>::max()) {
    throw error("topology::network",
                "a network of " + std::to_string(nodes) + " nodes and " + std::to_string(links) +
                    " links is too large",
                "at most 2^32 - 1 of each");
  }
}

double network::bandwidth(node_t from, node_t to) const {
  std::vector<link_t> crossed;
  route(from, to, crossed);
  double narrowest = std::numeric_limits<double>::infinity();
  for (const link_t link : crossed) narrowest = std::min(narrowest, bandwidth(link));
  return narrowest;
}

std::uint32_t network::group(node_t node, unsigned) const { return node; }

}  // namespace acre::topology
