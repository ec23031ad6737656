// SPDX-License-Identifier: BSD-3-Clause
// A network given as a graph: switches, nodes, and cables of any bandwidth.
//
// For machines that are no torus, tree or dragonfly, and for what readers find
// in the files of fabric managers. A message takes a way of the fewest links;
// where several neighbours lie on such ways, the one that the target's number
// selects among them, in the order of their numbers, so that targets spread over
// equal ways (as D-mod-k does in fat trees). A graph has the levels of groups that
// it is given; groups_by_switches() finds them where switches have an order.
#pragma once

#include <acre/topology/network.hpp>

#include <memory>

namespace acre::topology {

class graph final : public network {
 public:
  /// A vertex: nodes are numbered first, 0 … nodes-1, then switches.
  using vertex_t = std::uint32_t;
  /// Joins two vertices, both ways.
  struct cable {
    vertex_t a;
    vertex_t b;
    double bandwidth = usual_bandwidth;  ///< bytes a second, each way
  };

  /// The group of each node at each level, the largest groups first.
  using grouping = std::vector<std::vector<std::uint32_t>>;

  /// @throws acre::error when a cable leads to a vertex that is not there or to where it begins,
  ///         when some node cannot be reached, or when a level has not one group for each node
  graph(node_t nodes, std::uint32_t switches, std::vector<cable> cables, grouping groups = {});
  ~graph() override;

  [[nodiscard]] unsigned distance(node_t from, node_t to) const override;
  void route(node_t from, node_t to, std::vector<link_t>& crossed) const override;
  using network::bandwidth;
  [[nodiscard]] double bandwidth(link_t link) const override;
  [[nodiscard]] std::string link_name(link_t link) const override;
  /// "graph": there is no short way to say it.
  [[nodiscard]] std::string name() const override { return "graph"; }
  [[nodiscard]] unsigned levels() const override { return static_cast<unsigned>(groups_.size()); }
  [[nodiscard]] std::uint32_t group(node_t node, unsigned level) const override {
    return groups_[level][node];
  }

 private:
  /// A way out of a vertex. Those of one vertex are neighbours, in the order of where they lead.
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
  void find_doors();
  class distances_to;

  std::vector<cable> cables_;
  std::vector<std::uint32_t> first_port_;
  std::vector<port> ports_;
  /// The switch of a node that has no other neighbour; of all other vertices themselves. Distances
  /// are kept between doors alone: those of a switch's nodes follow.
  std::vector<vertex_t> door_;
  vertex_t first_door_ = 0;  ///< none is below
  grouping groups_;
  std::unique_ptr<known_distances> known_;
};

/// The groups of nodes below switches: those of one leaf switch, of one switch above leaves (or of
/// several that share leaves), and so on, as long as they are more than one and fewer than the
/// nodes. A leaf is a switch with a node; a switch is above those that are nearer to a node by
/// one, and cables between switches equally near join nothing.
[[nodiscard]] graph::grouping groups_by_switches(node_t nodes, std::uint32_t switches,
                                                 std::span<const graph::cable> cables);

}  // namespace acre::topology
