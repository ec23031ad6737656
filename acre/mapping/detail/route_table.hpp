// SPDX-License-Identifier: BSD-3-Clause
// The routes between nodes, each looked up once.
//
// Refinement asks for the same few routes millions of times, and a network works
// each out anew. Of many nodes a table would not fit the caches, and working a route
// out is as quick then.
#pragma once

#include <acre/mapping/metrics.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

/// Nodes are named by their places in a list.
class route_table {
 public:
  route_table(const machine& where, std::vector<topology::node_t> nodes);

  /// The links from one node to another, none within a node; good until the next call.
  [[nodiscard]] std::span<const topology::link_t> between(std::uint32_t from, std::uint32_t to) {
    if (from == to) return {};
    if (first_.empty()) return worked_out(from, to);
    const std::uint32_t first = first_[std::size_t{from} * nodes_.size() + to];
    if (first == unknown) return remembered(from, to);
    return std::span(links_).subspan(first + 1, links_[first]);
  }

  /// What a byte takes on a link.
  [[nodiscard]] double seconds(topology::link_t link) const { return seconds_[link]; }
  [[nodiscard]] std::size_t links() const { return seconds_.size(); }

 private:
  std::span<const topology::link_t> worked_out(std::uint32_t from, std::uint32_t to);
  std::span<const topology::link_t> remembered(std::uint32_t from, std::uint32_t to);

  static constexpr std::uint32_t unknown = UINT32_MAX;

  const topology::network& network_;
  std::vector<topology::node_t> nodes_;
  std::vector<double> seconds_;            ///< of a byte on each link
  std::vector<std::uint32_t> first_;       ///< of each pair, in links_; none: too many pairs
  std::vector<topology::link_t> links_;    ///< of each route how many, then these
  std::vector<topology::link_t> crossed_;  ///< of the last one that was worked out
};

}  // namespace acre::mapping
