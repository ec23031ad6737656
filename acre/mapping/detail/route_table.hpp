// SPDX-License-Identifier: BSD-3-Clause
// Caches routes between nodes (indices), unless recomputing is as fast, as for many nodes.
#pragma once

#include <acre/mapping/metrics.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

class route_table {
 public:
  route_table(const machine& where, std::vector<topology::node_t> nodes);

  /// Empty within a node. Valid until the next call.
  [[nodiscard]] std::span<const topology::link_t> between(std::uint32_t from, std::uint32_t to) {
    if (from == to) return {};
    if (first_.empty()) return worked_out(from, to);
    const std::uint32_t first = first_[std::size_t{from} * nodes_.size() + to];
    if (first == unknown) return remembered(from, to);
    return std::span(links_).subspan(first + 1, links_[first]);
  }

  [[nodiscard]] double seconds(topology::link_t link) const { return seconds_[link]; }
  [[nodiscard]] std::size_t links() const { return seconds_.size(); }

 private:
  std::span<const topology::link_t> worked_out(std::uint32_t from, std::uint32_t to);
  std::span<const topology::link_t> remembered(std::uint32_t from, std::uint32_t to);

  static constexpr std::uint32_t unknown = UINT32_MAX;

  const topology::network& network_;
  std::vector<topology::node_t> nodes_;
  std::vector<double> seconds_;
  std::vector<std::uint32_t> first_;  ///< by pair, in links_; empty: too many pairs
  std::vector<topology::link_t> links_;
  std::vector<topology::link_t> crossed_;
};

}  // namespace acre::mapping
