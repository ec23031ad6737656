// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/random_geometric.hpp>

#include <acre/base/split_mix.hpp>

#include <apps/graph/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace acre::graph {
namespace {

std::uint64_t side_of(std::uint64_t vertices, double radius) {
  const double most = std::sqrt(static_cast<double>(vertices));
  return static_cast<std::uint64_t>(std::max(std::min(1 / radius, most), 1.0));
}

}  // namespace

random_geometric::random_geometric(std::uint64_t vertices, double radius, std::uint64_t seed)
    : vertices_(vertices),
      radius_(radius),
      seed_(split_mix(seed)),
      side_(side_of(vertices, radius)) {}

double random_geometric::expected_edges() const noexcept {
  const auto n = static_cast<double>(vertices_);
  return n * n / 2 * std::min(std::numbers::pi * radius_ * radius_, 1.0);
}

random_geometric::range random_geometric::lower_half(const range& whole) const {
  const std::uint64_t cells = whole.cells / 2;
  const std::uint64_t key = split_mix(split_mix(seed_, whole.cell), whole.cells);
  const double share = static_cast<double>(cells) / static_cast<double>(whole.cells);
  return {whole.cell, cells, whole.first, binomial(key, whole.vertices, share)};
}

std::uint64_t random_geometric::cell_of(std::uint64_t vertex) const {
  range at = all();
  while (at.cells > 1) {
    const range low = lower_half(at);
    at = vertex < low.first + low.vertices
             ? low
             : range{low.cell + low.cells, at.cells - low.cells, low.first + low.vertices,
                     at.vertices - low.vertices};
  }
  return at.cell;
}

void random_geometric::add_firsts(const range& whole, std::uint64_t begin, std::uint64_t end,
                                  std::vector<std::uint64_t>& firsts) const {
  if (whole.cell >= end || whole.cell + whole.cells <= begin) return;
  if (whole.cells == 1) {
    firsts.push_back(whole.first);
    return;
  }
  const range low = lower_half(whole);
  add_firsts(low, begin, end, firsts);
  add_firsts({low.cell + low.cells, whole.cells - low.cells, low.first + low.vertices,
              whole.vertices - low.vertices},
             begin, end, firsts);
}

/// First vertices of cells `begin` to `end`; of the last, the end of the one before.
std::vector<std::uint64_t> random_geometric::firsts_of(std::uint64_t begin,
                                                       std::uint64_t end) const {
  std::vector<std::uint64_t> firsts;
  add_firsts(all(), begin, end + 1, firsts);
  if (end == side_ * side_) firsts.push_back(vertices_);
  return firsts;
}

random_geometric::point random_geometric::point_of(std::uint64_t cell,
                                                   std::uint64_t vertex) const noexcept {
  const auto side = static_cast<double>(side_);
  const std::uint64_t key = ~seed_;
  return {(static_cast<double>(cell % side_) + fraction_of(split_mix(key, 2 * vertex))) / side,
          (static_cast<double>(cell / side_) + fraction_of(split_mix(key, 2 * vertex + 1))) / side};
}

std::vector<random_geometric::point> random_geometric::points(share wanted) const {
  std::vector<point> found;
  if (wanted.count == 0) return found;
  const std::uint64_t begin = cell_of(wanted.first);
  const std::uint64_t end = cell_of(wanted.first + wanted.count - 1) + 1;
  const std::vector<std::uint64_t> firsts = firsts_of(begin, end);
  for (std::uint64_t cell = begin; cell < end; ++cell) {
    const std::uint64_t first = std::max(firsts[cell - begin], wanted.first);
    const std::uint64_t last = std::min(firsts[cell - begin + 1], wanted.first + wanted.count);
    for (std::uint64_t vertex = first; vertex < last; ++vertex) {
      found.push_back(point_of(cell, vertex));
    }
  }
  return found;
}

void random_geometric::walk(share wanted, const edge_sink& f) const {
  if (wanted.count == 0) return;
  const std::uint64_t begin = cell_of(wanted.first);
  const std::uint64_t end = cell_of(wanted.first + wanted.count - 1) + 1;
  const std::uint64_t lowest = begin - std::min(begin, side_ + 1);
  const std::vector<std::uint64_t> firsts = firsts_of(lowest, end);
  const std::uint64_t first_point = firsts.front();
  const std::vector<point> around =
      points({first_point, wanted.first + wanted.count - first_point});
  const auto join_to = [&](std::uint64_t vertex, std::uint64_t cell) {
    const point& mine = around[vertex - first_point];
    const std::uint64_t last = std::min(firsts[cell - lowest + 1], vertex);
    for (std::uint64_t other = firsts[cell - lowest]; other < last; ++other) {
      const point& theirs = around[other - first_point];
      const double x = mine.x - theirs.x;
      const double y = mine.y - theirs.y;
      if (x * x + y * y <= radius_ * radius_) f({vertex, other});
    }
  };
  for (std::uint64_t cell = begin; cell < end; ++cell) {
    const std::uint64_t column = cell % side_;
    const std::uint64_t last = std::min(firsts[cell - lowest + 1], wanted.first + wanted.count);
    for (std::uint64_t vertex = std::max(firsts[cell - lowest], wanted.first); vertex < last;
         ++vertex) {
      if (cell >= side_) {
        if (column > 0) join_to(vertex, cell - side_ - 1);
        join_to(vertex, cell - side_);
        if (column + 1 < side_) join_to(vertex, cell - side_ + 1);
      }
      if (column > 0) join_to(vertex, cell - 1);
      join_to(vertex, cell);
    }
  }
}

}  // namespace acre::graph
