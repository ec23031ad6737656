// SPDX-License-Identifier: BSD-3-Clause
// A network between nodes: how far they are from each other, over which links
// their messages go, and what these carry.
//
// Links are directed: a cable that carries traffic both ways at full speed is
// two. A route is fixed by its two ends (deterministic minimal routing); where
// several are equally short, each network states which one it is. Only links
// between routers count, and those that join a node to its router: two nodes
// of one router are two links apart where the model has such links, and none
// where it has not.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acre::topology {

/// A compute node: 0 … nodes()-1, in the order in which the machine numbers them.
using node_t = std::uint32_t;
/// A directed link: 0 … links()-1.
using link_t = std::uint32_t;

/// What a link carries where nothing else is said. Only the proportions count for a mapping.
inline constexpr double gigabyte = 1e9;
inline constexpr double usual_bandwidth = 10 * gigabyte;

/// The most that a network in a word has: measures keep some words for each.
inline constexpr std::size_t most_links_of_word = std::size_t{1} << 26;

/// Whether sums of times of such links stay finite: from 1e-9 to 1e9 GB/s.
[[nodiscard]] constexpr bool is_bandwidth(double bytes_a_second) noexcept {
  return bytes_a_second >= 1e-9 * gigabyte && bytes_a_second <= 1e9 * gigabyte;
}

class network {
 public:
  virtual ~network() = default;

  [[nodiscard]] std::size_t nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::size_t links() const noexcept { return links_; }

  /// The number of links that a message from `from` to `to` crosses; 0 to itself.
  [[nodiscard]] virtual unsigned distance(node_t from, node_t to) const = 0;

  /// Appends the links that a message from `from` to `to` crosses, in their order.
  virtual void route(node_t from, node_t to, std::vector<link_t>& crossed) const = 0;

  /// Bytes a second of a link.
  [[nodiscard]] virtual double bandwidth(link_t link) const = 0;

  /// Bytes a second of the narrowest link between two nodes; infinite to itself.
  [[nodiscard]] double bandwidth(node_t from, node_t to) const;

  /// Where the link lies: "(3,0,1) +y", "leaf 4 up 1".
  [[nodiscard]] virtual std::string link_name(link_t link) const = 0;

  /// The specification that makes this network again: "torus:8x8x6".
  [[nodiscard]] virtual std::string name() const = 0;

  /// The lengths of the grid that the nodes form, x first; empty when they form none.
  /// Node number = x + extent_x * (y + extent_y * z), several nodes of a router apart.
  [[nodiscard]] virtual std::span<const std::uint32_t> extents() const { return {}; }
  /// How many nodes stand at one place of that grid.
  [[nodiscard]] virtual std::uint32_t nodes_a_router() const { return 1; }

  /// How many levels of groups there are, the whole machine not counted: of a dragonfly 3, its
  /// groups, chassis and blades. 0 where nodes form none.
  [[nodiscard]] virtual unsigned levels() const { return 0; }

  /// The group of a node at a level, 0 the largest: nodes of the same number are in the same one.
  [[nodiscard]] virtual std::uint32_t group(node_t node, unsigned level) const;

  /// The order in which nodes stand group by group, at each level; equal in the same groups.
  [[nodiscard]] std::strong_ordering compare_groups(node_t a, node_t b) const;

 protected:
  network(std::size_t nodes, std::size_t links);
  /// How a specification says the bandwidths of its kinds of links: "@10,10,5"; nothing when all
  /// are usual.
  [[nodiscard]] static std::string bandwidths_name(std::span<const double> kinds);

  network(const network&) = default;
  network& operator=(const network&) = default;

 private:
  std::size_t nodes_;
  std::size_t links_;
};

}  // namespace acre::topology
