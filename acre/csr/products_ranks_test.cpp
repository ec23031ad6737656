// SPDX-License-Identifier: BSD-3-Clause
// Compares sparse products with plain loops.
#include <acre/array/array.hpp>
#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/csr/dense_rows.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/random_matrix_test.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/csr/spgemm.hpp>
#include <acre/csr/spmm.hpp>
#include <acre/csr/spmspv.hpp>
#include <acre/csr/spmv.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/private_block.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace {

using namespace acre::sparse_test;

namespace semirings = acre::semirings;

struct widest_path {
  using value_type = long;
  static long zero() { return 0; }
  static long add(long a, long b) { return std::max(a, b); }
  static long multiply(long a, long b) { return std::min(a, b); }
};

template <class S>
table_of<typename S::value_type> product(const table& a, const table& b) {
  table_of<typename S::value_type> all;
  for (const auto& [one, left] : a) {
    for (auto other = b.lower_bound({one.second, 0});
         other != b.end() && other->first.first == one.second; ++other) {
      const auto [sum, is_new] = all.try_emplace({one.first, other->first.second}, S::zero());
      sum->second = S::add(sum->second, S::multiply(left, other->second));
    }
  }
  return all;
}

template <class V>
table_of<V> only(table_of<V> all, const table& mask, bool listed) {
  std::erase_if(all, [&](const auto& each) { return mask.contains(each.first) != listed; });
  return all;
}

template <class S>
void expect_products(std::size_t rows, std::size_t inner, std::size_t columns, double share) {
  const table left = random_table(rows, inner, share, 1);
  const table right = random_table(inner, columns, share, 2);
  const table where = random_table(rows, columns, 0.3, 3);
  const auto a = spread(left, rows, inner);
  const auto b = spread(right, inner, columns);
  const auto mask = spread(where, rows, columns);
  const auto expected = product<S>(left, right);
  expect_matrix(acre::spgemm<S>(a, b), expected);
  expect_matrix(acre::spgemm<S>(a, b, acre::masked_by(mask)), only(expected, where, true));
  expect_matrix(acre::spgemm<S>(a, b, acre::masked_by_not(mask)), only(expected, where, false));
}

TEST(Spgemm, IsThePlainProduct) {
  expect_products<semirings::plus_times<long>>(30, 40, 50, 0.1);
  expect_products<semirings::plus_times<long>>(5, 3, 9000, 0.001);
  expect_products<semirings::plus_times<long>>(3, 100, 1, 0.5);
  expect_products<semirings::plus_times<long>>(0, 5, 7, 0.5);
}

TEST(Spgemm, IsThePlainProductOverOtherSemirings) {
  expect_products<semirings::min_plus<long>>(20, 25, 30, 0.2);
  expect_products<semirings::plus_pair<int>>(20, 25, 30, 0.2);
  expect_products<semirings::or_and>(20, 25, 30, 0.2);
  expect_products<semirings::max_second<long>>(20, 25, 30, 0.2);
  expect_products<widest_path>(20, 25, 30, 0.2);
}

std::vector<acre::runtime::private_block> take_all_but(std::size_t left) {
  std::vector<acre::runtime::private_block> taken;
  for (std::size_t bytes = std::size_t{1} << 40; bytes >= 4096; bytes /= 2) {
    while (acre::runtime::segment_free().private_part >= left + 2 * bytes) {
      auto block = acre::runtime::try_private_block(bytes, 64);
      if (block == nullptr) break;
      taken.push_back(std::move(block));
    }
  }
  return taken;
}

TEST(Spgemm, NeedsNoRoomForMoreThanItsEntries) {
  constexpr std::size_t size = 600;
  table left;
  table right;
  table expected;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < 20; ++j) left[{i, 30 * j + i % 30}] = 1;
    for (std::size_t j = 0; j < 40; ++j) {
      right[{i, 15 * j}] = static_cast<long>(i + j);
      expected[{i, 15 * j}] = static_cast<long>(30 * 190 + 20 * (i % 30 + j));
    }
  }
  const auto a = spread(left, size, size);
  const auto b = spread(right, size, size);
  const auto taken = take_all_but(std::size_t{1} << 20);
  expect_matrix(acre::spgemm<semirings::plus_times<long>>(a, b), expected);
  acre::barrier();
}

TEST(Spgemm, TakesRowsThatAreCutInAnyWay) {
  const table left = random_table(40, 30, 0.2, 1);
  const table right = random_table(30, 20, 0.2, 2);
  std::vector<std::size_t> firsts(acre::size() + std::size_t{1}, 0);
  std::vector<std::size_t> others(acre::size() + std::size_t{1}, 30);
  for (std::size_t i = 2; i < acre::size(); ++i) firsts[i] = i;
  firsts.back() = 40;
  others.front() = 0;
  const auto a = spread(left, acre::row_cut(firsts), 30);
  const auto b = spread(right, acre::row_cut(others), 20);
  using S = semirings::plus_times<long>;
  expect_matrix(acre::spgemm<S>(a, b), product<S>(left, right));
}

TEST(Spgemm, RefusesAMaskThatIsCutOtherwise) {
  const auto a = spread(random_table(8, 8, 0.5, 1), 8, 8);
  const auto mask = spread(random_table(8, 9, 0.5, 1), 8, 9);
  EXPECT_THROW(
      static_cast<void>(acre::spgemm<semirings::plus_times<long>>(a, a, acre::masked_by(mask))),
      acre::error);
  acre::barrier();
}

TEST(Spgemm, MultipliesGraphs) {
  const table edges = random_table(30, 30, 0.1, 4);
  table_of<acre::present> places;
  for (const auto& [place, value] : edges) places[place];
  const auto graph = spread(places, 30, 30);
  expect_matrix(acre::spgemm<semirings::plus_pair<long>>(graph, graph),
                product<semirings::plus_pair<long>>(edges, edges));
}

TEST(Spgemm, RefusesWhatDoesNotFit) {
  const auto a = spread(random_table(4, 5, 0.5, 1), 4, 5);
  const auto b = spread(random_table(4, 5, 0.5, 1), 4, 5);
  EXPECT_THROW(static_cast<void>(acre::spgemm<semirings::plus_times<long>>(a, b)), acre::error);
  acre::barrier();
}

template <class S>
void expect_vector_products(std::size_t rows, std::size_t columns, double share) {
  using value = typename S::value_type;
  const table all = random_table(rows, columns, share, 5);
  const auto a = spread(all, rows, columns);
  const auto x_at = [](std::size_t i) { return static_cast<long>(i * 7 % 11) + 1; };
  const acre::array<long> x(acre::world(), columns, x_at);
  std::vector<value> expected(rows, S::zero());
  for (const auto& [place, entry] : all) {
    expected[place.first] = S::add(expected[place.first], S::multiply(entry, x_at(place.second)));
  }
  acre::array<value> y(acre::world(), rows);
  for (int times = 0; times < 2; ++times) {
    acre::spmv<S>(a, x, y);
    for (std::size_t i = 0; i < y.local().size(); ++i) {
      EXPECT_EQ(y.local()[i], expected[y.local_offset() + i]) << i;
    }
  }
  acre::spmv<S>(a, x, y, acre::into::sum);
  for (std::size_t i = 0; i < y.local().size(); ++i) {
    const value once = expected[y.local_offset() + i];
    EXPECT_EQ(y.local()[i], S::add(once, once)) << i;
  }
}

TEST(Spmv, IsThePlainProduct) {
  expect_vector_products<semirings::plus_times<long>>(50, 60, 0.1);
  expect_vector_products<semirings::plus_times<long>>(3, 1000, 0.01);
  expect_vector_products<semirings::min_plus<long>>(40, 40, 0.2);
  expect_vector_products<semirings::plus_second<long>>(40, 1, 0.2);
  expect_vector_products<widest_path>(1, 40, 0.2);
}

TEST(Spmv, LeavesRowsThatAreNotChosen) {
  const table all = random_table(40, 40, 0.3, 6);
  const std::vector<std::uint64_t> weights(
      acre::row_cut::equal(40, acre::size()).count_of(acre::rank()), acre::rank() + 1);
  const auto cut = acre::row_cut::balanced(acre::world(), 40, weights);
  const auto a = spread(all, cut, 40);
  acre::dense_vector<long> x(acre::world(), cut, 1);
  acre::dense_vector<long> y(acre::world(), cut, -1);
  acre::dense_vector<int> chosen(acre::world(), cut);
  for (std::size_t i = 0; i < chosen.local().size(); ++i) chosen.local()[i] = i % 3 == 0 ? 1 : 0;
  acre::spmv<semirings::plus_times<long>>(a, x, y, acre::into::result, acre::rows_where(chosen));
  acre::spmv<semirings::plus_pair<long>>(a, x, y, acre::into::result, acre::rows_where_not(chosen));
  std::vector<long> expected(40, 0);
  for (const auto& [place, entry] : all) {
    const std::size_t local = place.first - a.first_local_row();
    expected[place.first] += local % 3 == 0 ? entry : 1;
  }
  for (std::size_t i = 0; i < y.local().size(); ++i) {
    EXPECT_EQ(y.local()[i], expected[y.local_offset() + i]);
  }
  acre::barrier();
}

template <class S>
void expect_dense_products(std::size_t width) {
  using value = typename S::value_type;
  const table all = random_table(40, 50, 0.1, 9);
  const auto a = spread(all, 40, 50);
  const auto x_at = [](std::size_t i, std::size_t j) { return static_cast<long>(i * 5 + j) % 7; };
  acre::dense_rows<long> x(acre::world(), acre::row_cut::equal(50, acre::size()), width);
  for (std::size_t i = 0; i < x.cut().count_of(acre::rank()); ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      x.local_row(i)[j] = x_at(x.cut().first_of(acre::rank()) + i, j);
    }
  }
  acre::dense_rows<value> y(acre::world(), a.cut(), width);
  acre::spmm<S>(a, x, y);
  std::vector<value> expected(40 * width, S::zero());
  for (const auto& [place, entry] : all) {
    for (std::size_t j = 0; j < width; ++j) {
      value& sum = expected[place.first * width + j];
      sum = S::add(sum, S::multiply(entry, x_at(place.second, j)));
    }
  }
  for (std::size_t i = 0; i < y.local().size(); ++i) {
    EXPECT_EQ(y.local()[i], expected[a.first_local_row() * width + i]) << i;
  }
  if (width > 1) {
    EXPECT_EQ(value(y(39, 1)), expected[39 * width + 1]);
  }
  acre::barrier();
}

TEST(Spmm, IsThePlainProduct) {
  expect_dense_products<semirings::plus_times<long>>(1);
  expect_dense_products<semirings::plus_times<long>>(8);
  expect_dense_products<semirings::min_plus<long>>(3);
  expect_dense_products<semirings::plus_times<long>>(0);
}

template <class S>
void expect_pushed(std::size_t rows, std::size_t columns, double share, double of_vector) {
  using value = typename S::value_type;
  const table all = random_table(rows, columns, share, 10);
  const auto a = spread(all, rows, columns);
  const table x_all = random_table(1, rows, of_vector, 11);
  const auto cut = acre::row_cut::equal(columns, acre::size());
  acre::sparse_vector<long> x{a.cut(), {}};
  table_of<value> expected;
  for (const auto& [place, entry] : x_all) {
    const std::size_t row = place.second;
    if (a.cut().owner(row) == acre::rank()) {
      x.local.push_back({static_cast<acre::column_t>(row), entry});
    }
    for (auto each = all.lower_bound({row, 0}); each != all.end() && each->first.first == row;
         ++each) {
      if (each->first.second % 3 == 1) continue;
      const auto [sum, is_new] = expected.try_emplace({0, each->first.second}, S::zero());
      sum->second = S::add(sum->second, S::multiply(entry, each->second));
    }
  }
  const std::size_t first = cut.first_of(acre::rank());
  const auto y = acre::spmspv<S>(x, a, cut, [&](std::size_t i) { return (first + i) % 3 != 1; });
  EXPECT_EQ(y.entries(acre::world()), expected.size());
  for (const auto& [index, sum] : y.local) {
    EXPECT_EQ(cut.owner(index), acre::rank());
    EXPECT_EQ(expected.at({0, index}), sum) << index;
  }
}

TEST(Spmspv, IsThePlainProduct) {
  expect_pushed<semirings::plus_times<long>>(40, 50, 0.1, 0.2);
  expect_pushed<semirings::min_plus<long>>(40, 50, 0.1, 1.0);
  expect_pushed<semirings::plus_first<long>>(30, 9000, 0.0, 0.0);
  expect_pushed<semirings::plus_times<long>>(4, 9000, 0.001, 1.0);
}

TEST(Products, RefuseWhatIsOfAnotherTeam) {
  const acre::team other = acre::sparse_test::turned_world();
  const auto a = spread(random_table(8, 8, 0.5, 1), 8, 8);
  const auto b = acre::csr_builder<long>(other, 8, 8).finish();
  using S = semirings::plus_times<long>;
  EXPECT_THROW(static_cast<void>(acre::spgemm<S>(a, b)), acre::error);
  EXPECT_THROW(static_cast<void>(acre::spgemm<S>(a, a, acre::masked_by(b))), acre::error);
  acre::array<long> x(acre::world(), 8, 1L);
  acre::array<long> elsewhere(other, 8, 1L);
  EXPECT_THROW(acre::spmv<S>(a, x, elsewhere), acre::error);
  EXPECT_THROW(acre::spmv<S>(a, elsewhere, x), acre::error);
  acre::dense_vector<long> y(acre::world(), a.cut());
  EXPECT_THROW(acre::spmv<S>(a, x, y, acre::into::result, acre::rows_where(elsewhere)),
               acre::error);
  acre::dense_rows<long> rows(acre::world(), a.cut(), 2);
  acre::dense_rows<long> rows_elsewhere(other, a.cut(), 2);
  EXPECT_THROW(acre::spmm<S>(a, rows, rows_elsewhere), acre::error);
  EXPECT_THROW(acre::spmm<S>(a, rows_elsewhere, rows), acre::error);
  acre::barrier();
}

TEST(Products, RefuseAVectorThatChoosesOtherRows) {
  const auto a = spread(random_table(10, 10, 0.5, 1), 10, 10);
  const acre::array<int> two(acre::world(), 2, 1);
  acre::array<long> y(acre::world(), 10, 1L);
  const acre::array<long> x(acre::world(), 10, 1L);
  using S = semirings::plus_times<long>;
  EXPECT_THROW(acre::spmv<S>(a, x, y, acre::into::result, acre::rows_where(two)), acre::error);
  EXPECT_THROW(acre::spmv<S>(a, x, y, acre::into::result, acre::rows_where_not(two)), acre::error);
  const acre::sparse_vector<long> none{a.cut(), {}};
  EXPECT_THROW(static_cast<void>(acre::spmspv<S>(none, a, acre::rows_where(two))), acre::error);
  acre::barrier();
}

struct scarce {
  static inline bool is_out = false;
  long value = 0;
  scarce() {
    if (is_out) throw std::bad_alloc();
  }
};
struct plus_scarce {
  using value_type = long;
  static long zero() { return 0; }
  static long add(long a, long b) { return a + b; }
  static long multiply(long a, const scarce& b) { return a * b.value; }
};

TEST(Products, FailOnAllMembersWhereOneHasNoRoom) {
  if (acre::size() == 1) return;
  const auto a = spread(random_table(20, 20, 0.5, 1), 20, 20);
  const acre::dense_vector<scarce> x(acre::world(), a.cut());
  acre::dense_vector<long> y(acre::world(), a.cut());
  scarce::is_out = acre::rank() == 1;
  EXPECT_ANY_THROW(acre::spmv<plus_scarce>(a, x, y));
  scarce::is_out = false;
  acre::spmv<plus_scarce>(a, x, y);
  EXPECT_TRUE(std::ranges::all_of(y.local(), [](long each) { return each == 0; }));
  acre::barrier();
}

TEST(Spmspv, RefusesElementsOfOtherMembers) {
  const auto a = spread(random_table(20, 20, 0.5, 1), 20, 20);
  using S = semirings::plus_times<long>;
  acre::sparse_vector<long> x{a.cut(), {}};
  if (acre::rank() == 0) x.local.push_back({acre::size() == 1 ? 20U : 19U, 1});
  EXPECT_THROW(static_cast<void>(acre::spmspv<S>(x, a)), acre::error);
  x.local.clear();
  const auto fewer = acre::row_cut::equal(20, acre::size() + 1);
  EXPECT_THROW(static_cast<void>(acre::spmspv<S>(x, a, fewer)), acre::error);
  EXPECT_TRUE(acre::spmspv<S>(x, a).local.empty());
}

TEST(Products, RefuseOtherMatricesOnOneMember) {
  if (!acre::base::has_checks) GTEST_SKIP() << "needs ACRE_CHECKS";
  if (acre::size() == 1) return;
  using S = semirings::plus_times<long>;
  const auto a = spread(random_table(20, 20, 0.5, 1), 20, 20);
  const auto b = spread(random_table(20, 20, 0.5, 2), 20, 20);
  const auto& mine = acre::rank() == 0 ? a : b;
  const acre::dense_vector<long> x(acre::world(), a.cut(), 1);
  acre::dense_vector<long> y(acre::world(), a.cut());
  EXPECT_THROW(acre::spmv<S>(mine, x, y), acre::error);
  EXPECT_THROW(static_cast<void>(acre::spgemm<S>(a, mine)), acre::error);
  EXPECT_THROW(static_cast<void>(acre::spgemm<S>(mine, a)), acre::error);
  acre::spmv<S>(a, x, y);
  acre::barrier();
}

}  // namespace
