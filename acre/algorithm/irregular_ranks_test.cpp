// SPDX-License-Identifier: BSD-3-Clause
// Runs algorithms on lists, ragged arrays and images.
#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/algorithm/sort.hpp>
#include <acre/array/coarray.hpp>
#include <acre/array/list.hpp>
#include <acre/array/ragged_array.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace {

TEST(IrregularSmoke, ListsAreSortedReducedAndCopied) {
  acre::list<int> numbers(acre::world());
  long sum = 0;
  for (acre::rank_t i = 0; i < acre::rank() * 3; ++i) {
    numbers.push_back(static_cast<int>((i * 37 + acre::rank() * 11) % 50));
  }
  numbers.commit();
  for (const int each : numbers) sum += each;
  acre::barrier();
  acre::sort(numbers);
  EXPECT_TRUE(std::ranges::is_sorted(numbers));
  EXPECT_EQ(acre::reduce_on_all(numbers), sum);
  std::vector<int> all(numbers.size());
  acre::copy(numbers, all);
  EXPECT_TRUE(std::ranges::equal(numbers, all));
  acre::barrier();
}

TEST(Irregular, RaggedArraysAreFilledAndReduced) {
  const std::vector<std::size_t> lengths{acre::rank(), 0, 2};
  acre::ragged_array<int> ragged(acre::world(), lengths);
  acre::generate_with_index(ragged, [](std::size_t i) { return static_cast<int>(i); });
  const int size = static_cast<int>(ragged.size());
  EXPECT_EQ(acre::reduce_on_all(ragged), size * (size - 1) / 2);
  if (const auto row = ragged[ragged.rows() - 1]; row.size() == 2) {
    EXPECT_EQ(row[1], size - 1);
  }
  acre::barrier();
}

TEST(Irregular, ImagesAreOneRange) {
  acre::coarray<int[3]> x(acre::world());
  acre::generate_with_index(x, [](std::size_t i) { return static_cast<int>(i); });
  EXPECT_EQ(x[2], static_cast<int>(3 * acre::rank()) + 2);
  const int size = static_cast<int>(3 * acre::size());
  EXPECT_EQ(acre::reduce_on_all(x), size * (size - 1) / 2);
}

}  // namespace
