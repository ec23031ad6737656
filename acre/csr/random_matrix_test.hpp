// SPDX-License-Identifier: BSD-3-Clause
// Makes test matrices from tables equal on all ranks.
#pragma once

#include <acre/csr/csr_builder.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <map>
#include <random>
#include <utility>

namespace acre::sparse_test {

template <class T>
using table_of = std::map<std::pair<std::size_t, std::size_t>, T>;
using table = table_of<long>;

/// Non-zero numbers; a few rows are nearly full.
inline table random_table(std::size_t rows, std::size_t columns, double share, unsigned seed) {
  std::mt19937 numbers(seed);
  std::uniform_real_distribution<double> part(0, 1);
  table all;
  for (std::size_t i = 0; i < rows; ++i) {
    const double of_row = i % 13 == 5 ? 0.9 : share;
    for (std::size_t j = 0; j < columns; ++j) {
      if (part(numbers) < of_row) all[{i, j}] = static_cast<long>(numbers() % 9) + 1;
    }
  }
  return all;
}

template <class T, class F>
auto mapped(const table_of<T>& all, F&& f) {
  table_of<decltype(f(all.begin()->first, all.begin()->second))> other;
  for (const auto& [place, value] : all) other[place] = f(place, value);
  return other;
}

inline constexpr auto halved = [](long x) { return static_cast<double>(x) / 2; };
inline constexpr auto place_number = [](std::size_t i, std::size_t j, long) {
  return static_cast<long>(100 * i + j);
};
inline table_of<double> halves_of(const table& all) {
  return mapped(all, [](const auto&, long x) { return halved(x); });
}
inline table place_numbers_of(const table& all) {
  return mapped(all, [](const auto& at, long x) { return place_number(at.first, at.second, x); });
}
/// Values whose sums depend on order.
inline table_of<double> inverses_of(const table& all) {
  return mapped(all, [](const auto&, long x) { return 1.0 / static_cast<double>(x); });
}

template <class T>
csr_matrix<T> spread(const table_of<T>& all, const row_cut& rows, std::size_t columns) {
  csr_builder<T> triples(world(), rows, columns);
  std::size_t number = 0;
  for (const auto& [place, value] : all) {
    if (number++ % size() == rank()) triples.add(place.first, place.second, value);
  }
  return triples.finish();
}
template <class T>
csr_matrix<T> spread(const table_of<T>& all, std::size_t rows, std::size_t columns) {
  return spread(all, row_cut::equal(rows, size()), columns);
}

inline team turned_world() { return world().split(0, -static_cast<int>(rank())); }

inline csr_matrix<long> wrong_in_last_row() {
  return {world(), row_cut::equal(size(), size()), 4, 1, [](const csr_matrix<long>::room& made) {
            made.offsets[0] = 0;
            made.offsets[1] = 1;
            made.columns[0] = rank() + 1 == size() ? 4 : 1;
            made.values[0] = 1;
          }};
}

template <class Builder>
void expect_sums_of_equal_places(Builder&& triples) {
  for (std::size_t i = 0; i < 10; ++i) triples.add(i, (3 * i) % 10, static_cast<long>(i) + 1);
  const auto sums = triples.finish(std::plus());
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(sums.get(i, (3 * i) % 10), static_cast<long>((i + 1) * size()));
    EXPECT_FALSE(sums.get(i, (3 * i + 1) % 10).has_value());
  }
  world().barrier();
}

template <class T>
void expect_matrix(const csr_matrix<T>& matrix, const table_of<T>& all) {
  ASSERT_EQ(matrix.entries(), all.size());
  const csr_rows<T> rows = matrix.local();
  for (std::size_t row = 0; row < rows.count; ++row) {
    for (std::size_t place = rows.begin_of(row); place < rows.end_of(row); ++place) {
      const auto found = all.find({rows.first + row, rows.columns[place]});
      ASSERT_NE(found, all.end()) << rows.first + row << ", " << rows.columns[place];
      EXPECT_EQ(rows.value(place), found->second)
          << rows.first + row << ", " << rows.columns[place];
    }
  }
  std::size_t number = 0;
  for (const auto& [place, value] : all) {
    if (number++ % 17 != rank()) continue;
    EXPECT_EQ(matrix.get(place.first, place.second), value);
  }
  matrix.members().barrier();
}

}  // namespace acre::sparse_test
