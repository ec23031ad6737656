// SPDX-License-Identifier: BSD-3-Clause
// Failures and costs of argsort, unique, searches, sums along a dimension and accumulation;
// tests/numpy compares results.
#include <acre/algorithm/accumulate.hpp>
#include <acre/algorithm/argsort.hpp>
#include <acre/algorithm/copy_async.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/lower_bound.hpp>
#include <acre/algorithm/reduce_along.hpp>
#include <acre/algorithm/scan.hpp>
#include <acre/algorithm/unique.hpp>
#include <acre/array/list.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

int element(std::size_t i) { return static_cast<int>(i * 7 % 10); }

/// Throws on the last rank only.
constexpr auto less_or_throw = [](int a, int b) {
  if (acre::rank() + 1 == acre::size()) throw std::runtime_error("no order");
  return a < b;
};

/// Expects the exception of the last rank, and an acre::error on the others.
template <class Call>
void expect_failure_of_last(const Call& call) {
  if (acre::rank() + 1 == acre::size()) {
    EXPECT_THROW(call(), std::runtime_error);
  } else {
    EXPECT_THROW(call(), acre::error);
  }
}

TEST(Ordering, FailsOnAllRanksIfOneThrows) {
  acre::array<int> a(acre::world(), 40 * acre::size(), element);
  acre::array<int> b(acre::world(), 40 * acre::size(), element);
  acre::array<std::size_t> places(acre::world(), a.size());
  expect_failure_of_last([&] { static_cast<void>(acre::argsort(a, less_or_throw)); });
  expect_failure_of_last([&] { acre::sort_by_key(a, b, less_or_throw); });
  expect_failure_of_last([&] { acre::lower_bound(a, b, places, less_or_throw); });
  expect_failure_of_last([&] {
    static_cast<void>(acre::unique(a, [](int x, int y) { return less_or_throw(x, y); }));
  });
  EXPECT_TRUE(
      acre::world().allreduce(a[a.size() - 1] == element(a.size() - 1), acre::op::logical_and));
}

TEST(Ordering, RefusesOtherSizes) {
  acre::array<int> a(acre::world(), 10), b(acre::world(), 11);
  acre::array<std::size_t> places(acre::world(), 10);
  EXPECT_THROW(acre::sort_by_key(a, b), acre::error);
  EXPECT_THROW(acre::lower_bound(a, b, places), acre::error);
  acre::matrix<int, 2> m(acre::world(), {3, 4});
  acre::matrix<int, 1> to(acre::world(), {4});
  EXPECT_THROW(acre::reduce_along<1>(acre::whole(m), acre::whole(to)), acre::error);
  std::vector<int> nine(9);
  EXPECT_THROW(acre::accumulate(nine, a), acre::error);
  EXPECT_THROW(static_cast<void>(acre::copy_async(a, b)), acre::error);
  acre::barrier();
}

TEST(Ordering, TakesListsAndProjections) {
  acre::list<int> l(acre::world());
  for (int i = 0; i < static_cast<int>(acre::rank()); ++i) l.push_back(i);
  l.commit();
  const auto order = acre::argsort(l, {}, [](int x) { return -x; });
  EXPECT_EQ(order.size(), l.size());
  if (acre::size() > 1) {
    EXPECT_EQ(order[0], l.size() - 1);
  }
  acre::barrier();
}

TEST(Sums, OfSmallIntegersAreWide) {
  const acre::array<std::int8_t> a(acre::world(), 300, std::int8_t{100});
  EXPECT_EQ(acre::reduce_on_all(a), 30'000);
  EXPECT_EQ(acre::reduce_on(0, a).value_or(30'000), 30'000);
  const acre::array<unsigned> b(acre::world(), 4, 3'000'000'000U);
  EXPECT_EQ(acre::reduce_on_all(b), 12'000'000'000U);
  EXPECT_EQ(acre::reduce_on_all(b, 0U), 3'410'065'408U);
  const acre::array<bool> c(acre::world(), 9, true);
  EXPECT_EQ(acre::reduce_on_all(c), 9);
  static_assert(std::same_as<acre::sum_type<unsigned char>, std::uint64_t>);
  static_assert(std::same_as<acre::sum_type<float>, float>);
}

TEST(Accumulate, AddsAtOtherNodesInFewMessages) {
  acre::array<double> a(acre::world(), 1000 * acre::size(), 0.0);
  const std::vector<double> ones(a.size(), 1.0);
  const auto before = acre::counters();
  acre::accumulate(ones, a);
  const auto spent = acre::counters() - before;
  EXPECT_LE(spent.messages, 4U * acre::size());
  acre::barrier();
  for (const double each : a.local()) EXPECT_EQ(each, acre::size());
  acre::barrier();
  acre::array<std::complex<float>> c(acre::world(), 5, {1, 1});
  acre::accumulate(std::vector<std::complex<float>>(5, {0, 1}), c);
  acre::barrier();
  EXPECT_EQ(c[4], std::complex<float>(1, 1 + static_cast<float>(acre::size())));
  acre::barrier();
}

TEST(ReduceAlong, CountsOwnResultsOnly) {
  acre::matrix<int, 3> m(acre::world(), {8, 6, 4}, 2);
  const auto sums = acre::reduce_along<1>(acre::whole(m));
  EXPECT_EQ(sums.extents(), (acre::layout::coordinates<2>{8, 4}));
  EXPECT_EQ(sums(7, 3), 12);
  const auto of_part =
      acre::reduce_along<0>(acre::sub(m, {.first = {2, 1, 0}, .extents = {3, 2, 4}}));
  EXPECT_EQ(of_part(1, 2), 6);
  acre::barrier();
}

TEST(CopyAsync, RefusesOverlap) {
  acre::array<int> a(acre::world(), 10, element);
  EXPECT_THROW(
      static_cast<void>(acre::copy_async(a | std::views::take(9), a | std::views::drop(1))),
      acre::error);
  acre::barrier();
}

}  // namespace
