// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/packed_product.hpp>

#include <acre/algorithm/packed_pieces.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::algorithm {
namespace {

struct loops {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t inner = 0;

  void operator()(const int* a, const int* b, int* c, const int*, const int*) const {
    for (std::uint32_t j = 0; j < columns; ++j) {
      for (std::uint32_t k = 0; k < inner; ++k) {
        for (std::uint32_t i = 0; i < rows; ++i)
          c[j * rows + i] += a[k * rows + i] * b[j * inner + k];
      }
    }
  }
};

struct table {
  std::size_t rows;
  std::vector<int> elements;

  table(std::size_t of_rows, std::size_t columns, int seed)
      : rows(of_rows), elements(of_rows * columns) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      elements[i] = static_cast<int>((i * 7 + static_cast<std::size_t>(seed)) % 11) - 5;
    }
  }
  [[nodiscard]] int* at(std::size_t row, std::size_t column) {
    return elements.data() + column * rows + row;
  }
};

void expect_product(std::size_t m, std::size_t n, std::size_t k, std::size_t memory) {
  table a(m, k, 1);
  table b(k, n, 2);
  table c(m, n, 3);
  table expected = c;
  loops{.rows = static_cast<std::uint32_t>(m),
        .columns = static_cast<std::uint32_t>(n),
        .inner = static_cast<std::uint32_t>(k)}(a.elements.data(), b.elements.data(),
                                                expected.elements.data(), nullptr, nullptr);
  const auto pack = [](table& from) {
    return [&from](const piece_grid<int>& to) {
      to.each_segment([&](std::size_t row, std::size_t column, int* place, std::size_t count) {
        std::copy_n(from.at(row, column), count, place);
      });
    };
  };
  std::size_t last_tiles = 0;
  packed_product<int, loops>(m, n, k).run(
      pack(a), pack(b), [&](const piece_grid<int>& tile, const inner_turn&) { pack(c)(tile); },
      [&](const piece_grid<int>& tile, const inner_turn& turn) {
        EXPECT_EQ(turn.is_first && turn.is_last, k <= 4800);
        tile.each_segment(
            [&](std::size_t row, std::size_t column, const int* sums, std::size_t count) {
              std::copy_n(sums, count, c.at(row, column));
              if (turn.is_last) last_tiles += count;
            });
      },
      memory);
  EXPECT_EQ(last_tiles, m * n);
  EXPECT_TRUE(c.elements == expected.elements)
      << m << " x " << k << " x " << n << " in " << memory << " bytes";
}

TEST(PackedProduct, IsThatOfLoops) {
  for (const std::size_t m : {1U, 47U, 48U, 49U, 97U}) {
    for (const std::size_t n : {1U, 48U, 50U, 96U}) {
      for (const std::size_t k : {1U, 47U, 48U, 145U}) {
        expect_product(m, n, k, packed_product<int, loops>::usual_memory);
      }
    }
  }
  expect_product(1300, 40, 30, 1);
  expect_product(40, 1300, 30, 1);
  expect_product(700, 3, 4850, 1);
  expect_product(3, 60, 9700, 1);
}

}  // namespace
}  // namespace acre::algorithm
