// SPDX-License-Identifier: BSD-3-Clause
// Cost of a byte between nodes, tabulated unless pairs are too many.
#pragma once

#include <acre/mapping/metrics.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::mapping {

/// Mean of both directions; nodes are indices.
class cost_table {
 public:
  cost_table(const machine& where, std::vector<topology::node_t> nodes);

  [[nodiscard]] double between(std::uint32_t one, std::uint32_t other) const {
    if (!costs_.empty()) return costs_[one * nodes_.size() + other];
    return groups_.empty() ? worked_out(one, other) : by_groups(one, other);
  }

 private:
  [[nodiscard]] double worked_out(std::uint32_t one, std::uint32_t other) const;
  [[nodiscard]] double by_groups(std::uint32_t one, std::uint32_t other) const {
    const std::uint32_t* a = &groups_[one * levels_];
    const std::uint32_t* b = &groups_[other * levels_];
    std::size_t level = 0;
    while (level < levels_ && a[level] != b[level]) ++level;
    return where_.level_costs[level];
  }

  machine where_;
  std::vector<topology::node_t> nodes_;
  std::vector<double> costs_;
  std::size_t levels_ = 0;
  std::vector<std::uint32_t> groups_;
};

}  // namespace acre::mapping
