// SPDX-License-Identifier: BSD-3-Clause
// Random geometric graphs: uniform points of the unit square, joined if at most `radius` apart.
//
// Cells have sides of at least the radius, and vertices are numbered by cells, row by row. Numbers
// of points in halves of a range of cells are binomial, by the range's key: any rank generates its
// cells and their neighbours.
//
// Source: Funke et al., 2018.
#pragma once

#include <apps/graph/edge.hpp>

#include <cstdint>
#include <vector>

namespace acre::graph {

class random_geometric {
 public:
  struct point {
    double x;
    double y;
  };

  random_geometric(std::uint64_t vertices, double radius, std::uint64_t seed);

  [[nodiscard]] std::uint64_t vertices() const noexcept { return vertices_; }
  [[nodiscard]] double expected_edges() const noexcept;
  [[nodiscard]] double radius() const noexcept { return radius_; }

  /// Points of consecutive vertices.
  [[nodiscard]] std::vector<point> points(share wanted) const;
  /// Edges from the vertices to lower ones.
  void walk(share wanted, const edge_sink& f) const;

 private:
  /// Cells `cell` to `cell` + cells - 1 with vertices from `first` on.
  struct range {
    std::uint64_t cell;
    std::uint64_t cells;
    std::uint64_t first;
    std::uint64_t vertices;
  };

  [[nodiscard]] range all() const noexcept { return {0, side_ * side_, 0, vertices_}; }
  [[nodiscard]] range lower_half(const range& whole) const;
  [[nodiscard]] std::uint64_t cell_of(std::uint64_t vertex) const;
  void add_firsts(const range& whole, std::uint64_t begin, std::uint64_t end,
                  std::vector<std::uint64_t>& firsts) const;
  [[nodiscard]] std::vector<std::uint64_t> firsts_of(std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] point point_of(std::uint64_t cell, std::uint64_t vertex) const noexcept;

  std::uint64_t vertices_;
  double radius_;
  std::uint64_t seed_;
  std::uint64_t side_;  ///< in cells
};

}  // namespace acre::graph
