// SPDX-License-Identifier: BSD-3-Clause
// Replicated reference matrix in long double, for tests.
#pragma once

#include <acre/block/block_matrix.hpp>
#include <acre/block/block_values.hpp>
#include <acre/global/team/team.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace acre::testing_blocks {

template <class T>
struct wide_of {
  using type = long double;
};
template <class T>
struct wide_of<std::complex<T>> {
  using type = std::complex<long double>;
};
template <class T>
using wide = typename wide_of<T>::type;

template <class T>
[[nodiscard]] T number_of(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  if constexpr (std::floating_point<T>) {
    return static_cast<T>(uniform(random));
  } else {
    using part = typename T::value_type;
    const auto real = static_cast<part>(uniform(random));
    return {real, static_cast<part>(uniform(random))};
  }
}

[[nodiscard]] inline block_sizes random_sizes(std::mt19937_64& random, std::size_t blocks,
                                              std::uint32_t largest) {
  std::vector<std::uint32_t> sizes(blocks);
  for (std::uint32_t& each : sizes) each = 1 + static_cast<std::uint32_t>(random() % largest);
  return block_sizes(std::move(sizes));
}

[[nodiscard]] inline block_owners random_owners(std::mt19937_64& random, std::size_t blocks,
                                                rank_t parts) {
  const auto kind = random() % 3;
  std::vector<rank_t> owners(blocks);
  for (std::size_t i = 0; i < blocks; ++i) {
    owners[i] = static_cast<rank_t>(kind == 0   ? random() % parts
                                    : kind == 1 ? i % parts
                                                : i * parts / blocks);
  }
  return block_owners(std::move(owners));
}

[[nodiscard]] inline member_grid random_grid(std::mt19937_64& random, rank_t members) {
  std::vector<member_grid> all;
  for (rank_t rows = 1; rows <= members; ++rows) {
    if (members % rows == 0) all.push_back({rows, members / rows});
  }
  return all[random() % all.size()];
}

[[nodiscard]] inline block_distribution random_distribution(std::mt19937_64& random,
                                                            const block_sizes& rows,
                                                            const block_sizes& columns,
                                                            rank_t members) {
  const member_grid grid = random_grid(random, members);
  block_owners of_rows = random_owners(random, rows.blocks(), grid.rows);
  block_owners of_columns = random_owners(random, columns.blocks(), grid.columns);
  return {rows, columns, grid, std::move(of_rows), std::move(of_columns)};
}

template <class T>
struct model {
  block_sizes rows;
  block_sizes columns;
  std::vector<wide<T>> elements;
  std::vector<bool> there;

  model(block_sizes of_rows, block_sizes of_columns)
      : rows(std::move(of_rows)),
        columns(std::move(of_columns)),
        elements(rows.elements() * columns.elements()),
        there(rows.blocks() * columns.blocks()) {}

  [[nodiscard]] wide<T>& at(std::size_t i, std::size_t j) {
    return elements[j * rows.elements() + i];
  }
  [[nodiscard]] const wide<T>& at(std::size_t i, std::size_t j) const {
    return elements[j * rows.elements() + i];
  }
  [[nodiscard]] bool has(std::size_t row, std::size_t column) const {
    return there[row * columns.blocks() + column];
  }
  void set(std::size_t row, std::size_t column, const std::vector<T>& values) {
    there[row * columns.blocks() + column] = true;
    each(row, column, [&](std::size_t e, wide<T>& x) { x = wide<T>(values[e]); });
  }
  template <class F>
  void each(std::size_t row, std::size_t column, F&& f) {
    const std::size_t m = rows.size_of(row);
    for (std::size_t e = 0; e < m * columns.size_of(column); ++e) {
      f(e, at(rows.begin_of(row) + e % m, columns.begin_of(column) + e / m));
    }
  }
  [[nodiscard]] double norm(std::size_t row, std::size_t column) const {
    long double sum = 0;
    const_cast<model&>(*this).each(row, column,
                                   [&](std::size_t, wide<T>& x) { sum += std::norm(x); });
    return static_cast<double>(std::sqrt(sum));
  }
};

/// Random blocks, put by arbitrary ranks, in either triangle.
template <class T>
[[nodiscard]] model<T> fill(block_matrix<T>& m, double occupancy, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  model<T> all(m.rows(), m.columns());
  const bool is_half = m.symmetry() != block_symmetry::none;
  for (std::size_t i = 0; i < m.rows().blocks(); ++i) {
    for (std::size_t j = is_half ? i : 0; j < m.columns().blocks(); ++j) {
      if (std::uniform_real_distribution<double>(0, 1)(random) >= occupancy) continue;
      std::vector<T> values(std::size_t{m.rows().size_of(i)} * m.columns().size_of(j));
      for (T& each : values) each = number_of<T>(random);
      std::vector<T> other(values.size());
      block_matrices::mirror(values.data(), m.rows().size_of(i), m.columns().size_of(j),
                             other.data(), m.symmetry());
      if (is_half && i == j) {
        for (std::size_t e = 0; e < values.size(); ++e) values[e] += other[e];
      }
      all.set(i, j, values);
      if (is_half && i != j) all.set(j, i, other);
      if (random() % m.members().size() != m.members().rank()) continue;
      if (is_half && i != j && seed % 2 == 0) {
        m.put_block(j, i, other);
      } else {
        m.put_block(i, j, values);
      }
    }
  }
  m.finalise();
  return all;
}

template <class T>
std::vector<T> elements_here(const block_matrix<T>& m) {
  std::vector<T> all;
  m.each_local_block([&](std::size_t, std::size_t, const auto& block) {
    all.insert(all.end(), block.data(), block.data() + block.size());
  });
  return all;
}

}  // namespace acre::testing_blocks
