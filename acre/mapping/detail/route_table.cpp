// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/route_table.hpp>

#include <utility>

namespace acre::mapping {
namespace {

constexpr std::size_t most_nodes_of_routes = 1024;
constexpr std::size_t most_links = std::size_t{1} << 23;

}  // namespace

route_table::route_table(const machine& where, std::vector<topology::node_t> nodes)
    : network_(where.network), nodes_(std::move(nodes)), seconds_(where.network.links()) {
  for (topology::link_t link = 0; link < seconds_.size(); ++link) {
    seconds_[link] = 1 / network_.bandwidth(link);
  }
  if (nodes_.size() <= most_nodes_of_routes) first_.assign(nodes_.size() * nodes_.size(), unknown);
}

std::span<const topology::link_t> route_table::worked_out(std::uint32_t from, std::uint32_t to) {
  crossed_.clear();
  network_.route(nodes_[from], nodes_[to], crossed_);
  return crossed_;
}

std::span<const topology::link_t> route_table::remembered(std::uint32_t from, std::uint32_t to) {
  const auto route = worked_out(from, to);
  if (links_.size() + route.size() >= most_links) return route;
  first_[std::size_t{from} * nodes_.size() + to] = static_cast<std::uint32_t>(links_.size());
  links_.push_back(static_cast<topology::link_t>(route.size()));
  links_.insert(links_.end(), route.begin(), route.end());
  return route;
}

}  // namespace acre::mapping
