// SPDX-License-Identifier: BSD-3-Clause
// Network of compute nodes: distances, deterministic routes and bandwidths. Links are directed, and
// include those between nodes and routers if the model has them (tori: no).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acre::topology {

/// Compute node: 0 … nodes()-1.
using node_t = std::uint32_t;
/// Directed link: 0 … links()-1.
using link_t = std::uint32_t;

/// Default bandwidth, in bytes per second; only ratios matter for a mapping.
inline constexpr double gigabyte = 1e9;
inline constexpr double usual_bandwidth = 10 * gigabyte;

/// Upper bound of nodes, and of links, of a generated network.
inline constexpr std::size_t most_links_of_word = std::size_t{1} << 26;

/// True from 1e-9 to 1e9 GB/s: sums of transfer times stay finite.
[[nodiscard]] constexpr bool is_bandwidth(double bytes_a_second) noexcept {
  return bytes_a_second >= 1e-9 * gigabyte && bytes_a_second <= 1e9 * gigabyte;
}

class network {
 public:
  virtual ~network() = default;

  [[nodiscard]] std::size_t nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::size_t links() const noexcept { return links_; }

  /// Number of links on the route; 0 from a node to itself.
  [[nodiscard]] virtual unsigned distance(node_t from, node_t to) const = 0;

  /// Appends the route's links in order.
  virtual void route(node_t from, node_t to, std::vector<link_t>& crossed) const = 0;

  /// Bytes per second.
  [[nodiscard]] virtual double bandwidth(link_t link) const = 0;

  /// Bytes per second of the narrowest link; infinite within a node.
  [[nodiscard]] double bandwidth(node_t from, node_t to) const;

  /// Name of a link: "(3,0,1) +y", "leaf 4 up 1".
  [[nodiscard]] virtual std::string link_name(link_t link) const = 0;

  /// Specification of this network: "torus:8x8x6".
  [[nodiscard]] virtual std::string name() const = 0;

  /// Extents of the grid of routers, x first and fastest, or empty.
  [[nodiscard]] virtual std::span<const std::uint32_t> extents() const { return {}; }
  /// Nodes per grid position.
  [[nodiscard]] virtual std::uint32_t nodes_a_router() const { return 1; }

  /// Number of group levels; dragonfly: 3 (groups, chassis, blades).
  [[nodiscard]] virtual unsigned levels() const { return 0; }

  /// Number of the node's group; level 0 has the largest groups.
  [[nodiscard]] virtual std::uint32_t group(node_t node, unsigned level) const;

  /// Orders nodes by groups; equal within the same groups.
  [[nodiscard]] std::strong_ordering compare_groups(node_t a, node_t b) const;

 protected:
  network(std::size_t nodes, std::size_t links);
  /// Suffix of a specification, "@10,10,5"; empty if all are default.
  [[nodiscard]] static std::string bandwidths_name(std::span<const double> kinds);

  network(const network&) = default;
  network& operator=(const network&) = default;

 private:
  std::size_t nodes_;
  std::size_t links_;
};

}  // namespace acre::topology
