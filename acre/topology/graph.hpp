// SPDX-License-Identifier: BSD-3-Clause
// Network as a graph with shortest routes. The target's number selects among equally short hops
// (as D-mod-k).
#pragma once

#include <acre/topology/network.hpp>

#include <memory>

namespace acre::topology {

class graph final : public network {
 public:
  /// Nodes are 0 … nodes-1, then switches.
  using vertex_t = std::uint32_t;
  struct cable {
    vertex_t a;
    vertex_t b;
    double bandwidth = usual_bandwidth;  ///< bytes/s per direction
  };

  /// Group of each node at each level, largest groups first.
  using grouping = std::vector<std::vector<std::uint32_t>>;

  /// @throws acre::error for a bad cable, an unreachable node, or a level of wrong size
  graph(node_t nodes, std::uint32_t switches, std::vector<cable> cables, grouping groups = {});
  ~graph() override;

  [[nodiscard]] unsigned distance(node_t from, node_t to) const override;
  void route(node_t from, node_t to, std::vector<link_t>& crossed) const override;
  using network::bandwidth;
  [[nodiscard]] double bandwidth(link_t link) const override;
  [[nodiscard]] std::string link_name(link_t link) const override;
  [[nodiscard]] std::string name() const override { return "graph"; }
  [[nodiscard]] unsigned levels() const override { return static_cast<unsigned>(groups_.size()); }
  [[nodiscard]] std::uint32_t group(node_t node, unsigned level) const override {
    return groups_[level][node];
  }

 private:
  struct port {
    vertex_t to;
    link_t link;
  };
  class known_distances;

  [[nodiscard]] std::span<const port> ports(vertex_t vertex) const {
    return std::span(ports_).subspan(first_port_[vertex],
                                     first_port_[vertex + 1] - first_port_[vertex]);
  }
  void join_ports();
  void find_gateways();
  class distances_to;

  std::vector<cable> cables_;
  std::vector<std::uint32_t> first_port_;
  std::vector<port> ports_;
  /// The switch of a node with one neighbour, else the vertex itself. Only their distances are
  /// stored.
  std::vector<vertex_t> gateway_;
  vertex_t first_gateway_ = 0;
  grouping groups_;
  std::unique_ptr<known_distances> known_;
};

/// Groups of nodes below common leaf switches, then below common switches of each higher level
/// (merged if they share lower ones). A level is kept if it has fewer groups than the one below,
/// and at least two. A switch's level is its distance to the nearest node, at most 16; cables
/// within a level are ignored.
[[nodiscard]] graph::grouping groups_by_switches(node_t nodes, std::uint32_t switches,
                                                 std::span<const graph::cable> cables);

}  // namespace acre::topology
