// SPDX-License-Identifier: BSD-3-Clause
// All of a graph on each rank, for serial algorithms.
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::graph {

struct serial_graph {
  std::vector<std::vector<std::uint64_t>> neighbours;

  explicit serial_graph(const csr_graph& graph) : neighbours(graph.rows()) {
    const auto rows = graph.local();
    std::vector<std::uint64_t> mine;
    for (std::size_t row = 0; row < rows.count; ++row) {
      for (const column_t column : rows.columns_of(row)) {
        mine.push_back(rows.first + row);
        mine.push_back(column);
      }
    }
    for (const auto& part : graph.members().allgather(mine)) {
      for (std::size_t i = 0; i < part.size(); i += 2) {
        neighbours[part[i]].push_back(part[i + 1]);
      }
    }
  }

  [[nodiscard]] std::size_t size() const { return neighbours.size(); }
};

}  // namespace acre::graph
