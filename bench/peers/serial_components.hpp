// SPDX-License-Identifier: BSD-3-Clause
// Kronecker edges in memory, and their components by a serial union-find.
#pragma once

#include <apps/graph/kronecker.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace acre::bench {

using component_edge = std::array<std::uint32_t, 2>;

[[nodiscard]] inline std::vector<component_edge> edges_of(const graph::kronecker& graph,
                                                          std::uint64_t first, std::uint64_t end) {
  std::vector<component_edge> edges;
  edges.reserve(end - first);
  for (std::uint64_t i = first; i < end; ++i) {
    const graph::edge each = graph[i];
    edges.push_back({static_cast<std::uint32_t>(each.from), static_cast<std::uint32_t>(each.to)});
  }
  return edges;
}

class serial_components {
 public:
  explicit serial_components(const graph::kronecker& graph)
      : parents_(graph.vertices()), count_(graph.vertices()) {
    std::iota(parents_.begin(), parents_.end(), 0U);
    for (std::uint64_t i = 0; i < graph.edges(); ++i) {
      const graph::edge each = graph[i];
      const std::uint32_t from = root_of(static_cast<std::uint32_t>(each.from));
      const std::uint32_t to = root_of(static_cast<std::uint32_t>(each.to));
      if (from == to) continue;
      parents_[from] = to;
      --count_;
    }
    for (std::uint32_t each = 0; each < parents_.size(); ++each) parents_[each] = root_of(each);
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint32_t label(std::uint64_t vertex) const noexcept {
    return parents_[vertex];
  }

 private:
  [[nodiscard]] std::uint32_t root_of(std::uint32_t vertex) noexcept {
    while (parents_[vertex] != vertex) {
      parents_[vertex] = parents_[parents_[vertex]];
      vertex = parents_[vertex];
    }
    return vertex;
  }

  std::vector<std::uint32_t> parents_;
  std::uint64_t count_;
};

}  // namespace acre::bench
