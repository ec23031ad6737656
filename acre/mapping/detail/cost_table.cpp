// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/cost_table.hpp>

#include <utility>

namespace acre::mapping {
namespace {

constexpr std::size_t most_nodes_of_pairs = 1024;

}  // namespace

cost_table::cost_table(const machine& where, std::vector<topology::node_t> nodes)
    : where_(where), nodes_(std::move(nodes)) {
  const auto count = static_cast<std::uint32_t>(nodes_.size());
  if (count <= most_nodes_of_pairs) {
    costs_.reserve(nodes_.size() * nodes_.size());
    for (std::uint32_t one = 0; one < count; ++one) {
      for (std::uint32_t other = 0; other < count; ++other) {
        costs_.push_back(worked_out(one, other));
      }
    }
  } else if (!where_.level_costs.empty()) {
    levels_ = where_.network.levels() + 1;
    groups_.reserve(nodes_.size() * levels_);
    for (const topology::node_t node : nodes_) {
      groups_.push_back(node);
      for (unsigned level = where_.network.levels(); level-- > 0;) {
        groups_.push_back(where_.network.group(node, level));
      }
    }
  }
}

double cost_table::worked_out(std::uint32_t one, std::uint32_t other) const {
  const topology::node_t a = nodes_[one];
  const topology::node_t b = nodes_[other];
  return (where_.cost(a, b) + where_.cost(b, a)) / 2;
}

}  // namespace acre::mapping
