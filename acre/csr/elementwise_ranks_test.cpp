// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/elementwise.hpp>
#include <acre/csr/random_matrix_test.hpp>
#include <acre/csr/transpose.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

namespace {

using namespace acre::sparse_test;

TEST(Elementwise, SelectsEntries) {
  const table all = random_table(20, 25, 0.3, 1);
  table lower = all;
  std::erase_if(lower, [](const auto& each) { return each.first.second >= each.first.first; });
  const auto a = spread(all, 20, 25);
  expect_matrix(acre::select(a, [](auto i, auto j, long) { return j < i; }), lower);
}

TEST(Elementwise, AppliesAFunction) {
  const table all = random_table(20, 25, 0.3, 2);
  const auto a = spread(all, 20, 25);
  expect_matrix(acre::apply(a, halved), halves_of(all));
  expect_matrix(acre::apply(a, place_number), place_numbers_of(all));
}

TEST(Elementwise, AddsAndMultiplies) {
  const table one = random_table(20, 25, 0.3, 3);
  const table other = random_table(20, 25, 0.3, 4);
  table sum = one;
  table_of<double> product;
  for (const auto& [place, value] : other) {
    sum[place] += value;
    if (one.contains(place)) product[place] = 0.5 * static_cast<double>(one.at(place) * value);
  }
  const auto a = spread(one, 20, 25);
  const auto b = spread(other, 20, 25);
  expect_matrix(acre::ewise_add(a, b, std::plus()), sum);
  const auto half = [](long x, long y) { return 0.5 * static_cast<double>(x * y); };
  expect_matrix(acre::ewise_multiply(a, b, half), product);
}

TEST(Elementwise, ReducesRowsAndAll) {
  const table all = random_table(20, 25, 0.1, 5);
  std::vector<long> rows(20, 0);
  long sum = 0;
  for (const auto& [place, value] : all) {
    rows[place.first] += value;
    sum += value;
  }
  const auto a = spread(all, 20, 25);
  acre::dense_vector<long> sums(acre::world(), a.cut());
  acre::reduce_rows<acre::monoids::plus<long>>(a, sums);
  for (std::size_t i = 0; i < sums.local().size(); ++i) {
    EXPECT_EQ(sums.local()[i], rows[sums.local_offset() + i]);
  }
  EXPECT_EQ(acre::reduce<acre::monoids::plus<long>>(a), sum);
}

TEST(Elementwise, FailsOnAllMembersWhenAFunctionThrows) {
  const auto a = spread(random_table(20, 20, 0.9, 6), 20, 20);
  const auto throwing = [](std::size_t i, std::size_t, long x) {
    if (i == 19) throw std::runtime_error("no");
    return x;
  };
  EXPECT_ANY_THROW(static_cast<void>(acre::apply(a, throwing)));
  acre::barrier();
}

TEST(Elementwise, RefusesMatricesThatDiffer) {
  const auto a = spread(random_table(20, 25, 0.1, 7), 20, 25);
  const auto b = spread(random_table(20, 24, 0.1, 7), 20, 24);
  EXPECT_THROW(static_cast<void>(acre::ewise_add(a, b, std::plus())), acre::error);
  acre::barrier();
}

TEST(Transpose, TurnsRowsIntoColumns) {
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{20, 25}, {30, 30}}) {
    const table all = random_table(rows, columns, 0.2, 8);
    table turned;
    for (const auto& [place, value] : all) turned[{place.second, place.first}] = value;
    const auto a = spread(all, rows, columns);
    const auto t = acre::transpose(a);
    expect_matrix(t, turned);
    expect_matrix(acre::transpose(t), all);
  }
}

TEST(Elementwise, RefusesWhatIsOfAnotherTeam) {
  const acre::team other = acre::sparse_test::turned_world();
  const auto a = spread(random_table(20, 20, 0.1, 7), 20, 20);
  const auto b = acre::csr_builder<long>(other, 20, 20).finish();
  EXPECT_THROW(static_cast<void>(acre::ewise_add(a, b, std::plus())), acre::error);
  EXPECT_THROW(static_cast<void>(acre::ewise_multiply(a, b, std::plus())), acre::error);
  acre::dense_vector<long> sums(other, a.cut());
  EXPECT_THROW(acre::reduce_rows<acre::monoids::plus<long>>(a, sums), acre::error);
  acre::barrier();
}

TEST(Transpose, HasItsFormerName) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const table all = random_table(20, 20, 0.2, 8);
  const auto a = spread(all, 20, 20);
  expect_matrix(acre::transposed(acre::transposed(a)), all);
  expect_matrix(acre::transposed(acre::transposed(a, a.cut()), a.cut()), all);
#pragma GCC diagnostic pop
}

TEST(Transpose, FailsOnAllMembersWhereOneFails) {
  const auto wrong = acre::sparse_test::wrong_in_last_row();
  EXPECT_THROW(static_cast<void>(acre::transpose(wrong)), acre::error);
  acre::barrier();
}

TEST(Transpose, RefusesACutForOtherMembers) {
  const auto a = spread(table{{{0, 24}, 1}}, 20, 25);
  EXPECT_THROW(static_cast<void>(acre::transpose(a, acre::row_cut::equal(25, acre::size() + 1))),
               acre::error);
  acre::barrier();
}

}  // namespace
