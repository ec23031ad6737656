// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/rmat.hpp>

#include <acre/base/error.hpp>

#include <apps/graph/binomial.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace acre::graph {

rmat::rmat(unsigned scale, std::uint64_t edges, std::uint64_t seed, direction entries)
    : scale_(scale),
      edges_(edges),
      seed_(split_mix(seed)),
      form_(entries == direction::both ? shape::below_diagonal : shape::off_diagonal),
      shuffled_(scale, seed_) {
  if (edges > places(form_, scale)) {
    throw error("acre-graph",
                fmt::format("a graph of {} vertices has {} edges at most, not {}", vertices(),
                            places(form_, scale), edges),
                "choose fewer edges, or a larger scale");
  }
}

std::uint64_t rmat::places(shape form, unsigned scale) noexcept {
  const std::uint64_t side = std::uint64_t{1} << scale;
  if (form == shape::full) return side * side;
  return form == shape::off_diagonal ? side * (side - 1) : side * (side - 1) / 2;
}

rmat::quadrants rmat::quadrants_of(const block& whole) {
  const unsigned scale = whole.scale - 1;
  const std::uint64_t half = std::uint64_t{1} << scale;
  const auto part = [&](shape form, std::uint64_t row, std::uint64_t column) {
    return block{form, scale, whole.row + row, whole.column + column, 0, 0, 0};
  };
  const shape form = whole.form;
  if (form == shape::below_diagonal) {
    return {{part(form, 0, 0), part(shape::full, half, 0), part(form, half, half)},
            {0.57, 0.38, 0.05},
            3};
  }
  return {{part(form, 0, 0), part(shape::full, 0, half), part(shape::full, half, 0),
           part(form, half, half)},
          {0.57, 0.19, 0.19, 0.05},
          4};
}

void rmat::distribute(const block& whole, quadrants& parts) {
  std::uint64_t rest = whole.edges;
  double shares = 1;
  for (std::size_t i = 0; i < parts.count; ++i) {
    block& part = parts.blocks[i];
    part.key = split_mix(whole.key, i + 1);
    part.edges = i + 1 == parts.count
                     ? rest
                     : binomial(part.key, rest, std::min(parts.shares[i] / shares, 1.0));
    rest -= part.edges;
    shares -= parts.shares[i];
  }
  std::uint64_t excess = 0;
  for (std::size_t i = 0; i < 2 * parts.count; ++i) {
    block& part = parts.blocks[i % parts.count];
    const std::uint64_t all = part.edges + excess;
    part.edges = std::min(all, places(part.form, part.scale));
    excess = all - part.edges;
  }
  std::uint64_t first = whole.first;
  for (std::size_t i = 0; i < parts.count; ++i) {
    parts.blocks[i].first = first;
    first += parts.blocks[i].edges;
  }
}

void rmat::walk(share wanted, const edge_sink& f) const {
  walk({form_, scale_, 0, 0, 0, edges_, split_mix(~seed_)}, wanted, f);
}

void rmat::walk(const block& whole, share wanted, const edge_sink& f) const {
  const bool is_before = whole.first + whole.edges <= wanted.first;
  if (whole.edges == 0 || is_before || whole.first >= wanted.first + wanted.count) return;
  if (whole.scale == 0) {
    f({shuffled_(whole.row), shuffled_(whole.column)});
    return;
  }
  quadrants parts = quadrants_of(whole);
  distribute(whole, parts);
  for (std::size_t i = 0; i < parts.count; ++i) walk(parts.blocks[i], wanted, f);
}

}  // namespace acre::graph
