// SPDX-License-Identifier: BSD-3-Clause
// Invalid ranges, and differing collective calls, fail on all members.
#include <acre/algorithm/compare.hpp>
#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/copy_async.hpp>
#include <acre/algorithm/copy_box.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/histogram.hpp>
#include <acre/algorithm/multiply.hpp>
#include <acre/algorithm/policy.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/algorithm/rotate.hpp>
#include <acre/algorithm/scan.hpp>
#include <acre/algorithm/sort.hpp>
#include <acre/algorithm/transform.hpp>
#include <acre/algorithm/transpose.hpp>
#include <acre/array/array.hpp>
#include <acre/array/coarray.hpp>
#include <acre/array/list.hpp>
#include <acre/array/matrix.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/global/memory/error_of_test.hpp>
#include <acre/layout/deduction.hpp>
#include <acre/matrix_files/npy/npy.hpp>
#include <acre/view/shifted.hpp>
#include <acre/view/strided.hpp>
#include <acre/view/transformed.hpp>
#include <acre/view/zipped.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <ranges>
#include <string>
#include <vector>

namespace {

using acre::global_test::error_of;

template <class R>
auto beyond(R& range) {
  const auto end =
      std::ranges::begin(range) + static_cast<std::ptrdiff_t>(std::ranges::size(range));
  return std::ranges::subrange(end - 2, end + 3);
}

template <class R>
void expect_refused(const R& range, const std::string& why) {
  std::vector<int> five(5, 7);
  acre::array<int> other(acre::world(), 5, 3);
  const auto refuses = [&](const char* call, auto&& f) {
    const std::string text = error_of(f);
    EXPECT_TRUE(text.starts_with(call)) << text;
    EXPECT_NE(text.find(why), std::string::npos) << call << ": " << text;
    EXPECT_NE(text.find("call_ranges_ranks_test.cpp:"), std::string::npos) << text;
  };
  refuses("copy", [&] { acre::copy(range, five); });
  refuses("copy", [&] { acre::copy(range, other); });
  refuses("for_each", [&] { acre::for_each(range, [](int) {}); });
  refuses("reduce_on_all", [&] { static_cast<void>(acre::reduce_on_all(range)); });
  refuses("count_on_all", [&] { static_cast<void>(acre::count_on_all(range, 1)); });
  refuses("reduce_on", [&] { static_cast<void>(acre::reduce_on(0, range)); });
  refuses("find_on_all", [&] { static_cast<void>(acre::find_on_all(range, 9)); });
  refuses("equal_on_all", [&] { static_cast<void>(acre::equal_on_all(other, range)); });
  refuses("mismatch_on_all", [&] { static_cast<void>(acre::mismatch_on_all(range, other)); });
  refuses("is_sorted_on_all", [&] { static_cast<void>(acre::is_sorted_on_all(range)); });
  refuses("transform", [&] { acre::transform(range, other, std::identity()); });
  refuses("histogram_on_all", [&] { static_cast<void>(acre::histogram_on_all(range, 2, 0, 9)); });
  if constexpr (acre::ranges::writable_range<const R&>) {
    refuses("copy", [&] { acre::copy(other, range); });
    refuses("transform", [&] { acre::transform(other, range, std::identity()); });
    refuses("fill", [&] { acre::fill(range, 1); });
    refuses("for_each", [&] { acre::generate(range, [] { return 1; }); });
  }
  if constexpr (acre::ranges::memory_range<const R&>) {
    refuses("copy", [&] { acre::copy(five, range); });
    refuses("copy_async", [&] { acre::copy_async(range, five).wait(); });
    refuses("copy_async", [&] { acre::copy_async(five, range).wait(); });
    refuses("min_element_on_all", [&] { static_cast<void>(acre::min_element_on_all(range)); });
    refuses("max_element_on_all", [&] { static_cast<void>(acre::max_element_on_all(range)); });
    refuses("minmax_element_on_all",
            [&] { static_cast<void>(acre::minmax_element_on_all(range)); });
    refuses("sort", [&] { acre::sort(range); });
    refuses("stable_sort", [&] { acre::stable_sort(range); });
    refuses("scan", [&] { acre::inclusive_scan(range); });
    refuses("scan", [&] { acre::exclusive_scan(other, range); });
    refuses("rotate", [&] { acre::rotate(range, 1); });
    refuses("reverse", [&] { acre::reverse(range); });
    refuses("store_npy", [&] { acre::store_npy("beyond.npy", range); });
  }
  EXPECT_EQ(acre::reduce_on_all(other), 15);
}

TEST(CallRanges, SmokeEndInTheirContainer) {
  acre::array<int> a(acre::world(), 10, 1);
  expect_refused(beyond(a),
                 "the range of 5 elements from element 8 of array of 10 elements exceeds");
  expect_refused(std::views::counted(a.begin() + 8, 5), "exceeds its end");
  EXPECT_EQ(acre::reduce_on_all(a), 10);
}

TEST(CallRanges, AreThoseOfEveryKindOfContainer) {
  std::vector<int> five(5);
  const auto refuses = [&](auto& range) {
    const std::string text = error_of([&] { acre::copy(beyond(range), five); });
    EXPECT_NE(text.find("the range of 5 elements from element "), std::string::npos) << text;
    EXPECT_NE(error_of([&] { acre::fill(beyond(range), 7); }), "no error");
  };
  acre::matrix<int, 2> m(acre::world(), {4, 4}, 1);
  refuses(m);
  auto whole = acre::whole(m);
  refuses(whole);
  auto row = acre::row(m, 1);
  refuses(row);
  auto cyclic = acre::make_matrix<int>(
      acre::world(), acre::make_distribution({4}, acre::size(), acre::dist::cyclic));
  refuses(cyclic);
  acre::coarray<int[2]> images(acre::world(), 1);
  refuses(images);
  acre::list<int> list(acre::world());
  list.push_back(1);
  list.push_back(2);
  list.commit();
  refuses(list);
  const auto beyond_row = std::ranges::subrange(row.begin(), row.begin() + 8);
  EXPECT_NE(error_of([&] { acre::copy(std::vector<int>(8, 9), beyond_row); }), "no error");
  EXPECT_EQ(acre::reduce_on_all(m), 16);
}

TEST(CallRanges, AreLookedAtThroughViews) {
  acre::array<int> a(acre::world(), 10, 1);
  const auto twice = [](int x) { return 2 * x; };
  expect_refused(beyond(a) | acre::views::transform(twice), "exceeds its end");
  std::vector<int> five(5);
  const auto stepped = beyond(a) | acre::views::strided(2);
  EXPECT_NE(error_of([&] { acre::fill(stepped, 1); }), "no error");
  auto every_second = a | acre::views::strided(2);
  EXPECT_NE(error_of([&] { acre::fill(beyond(every_second), 1); }), "no error");
  EXPECT_NE(error_of([&] { acre::copy(beyond(a) | acre::views::shift(1), five); }), "no error");
  auto shifted = a | acre::views::shift(3);
  EXPECT_NE(error_of([&] { acre::copy(beyond(shifted), five); }), "no error");
  acre::array<int> b(acre::world(), 10, 1);
  EXPECT_NE(error_of([&] { acre::for_each(acre::views::zip(beyond(a), beyond(b)), [](auto) {}); }),
            "no error");
  EXPECT_EQ(error_of([&] { acre::fill(every_second | std::views::drop(1), 1); }), "no error");
}

TEST(CallRanges, BeginBeforeTheyEnd) {
  acre::array<int> a(acre::world(), 10, 1);
  const auto backwards = std::ranges::subrange(a.begin() + 8, a.begin() + 3);
  const std::string text = error_of([&] { acre::fill(backwards, 1); });
  EXPECT_NE(text.find("ends 5 elements before it begins"), std::string::npos) << text;
}

TEST(CallRanges, BelongToOneContainer) {
  acre::array<int> a(acre::world(), 10, 1);
  acre::array<int> b(acre::world(), 10, 1);
  acre::matrix<int, 2> m(acre::world(), {4, 4}, 1);
  const auto expect_two = [](auto&& call) {
    const std::string text = error_of(call);
    EXPECT_NE(text.find("the two iterators belong to different objects"), std::string::npos)
        << text;
  };
  std::vector<int> ten(10);
  if constexpr (!acre::base::has_checks) {
    expect_two([&] { acre::copy(std::ranges::subrange(a.begin(), b.end()), ten); });
    return;
  }
  expect_two([&] { acre::copy(std::ranges::subrange(a.begin(), b.end()), ten); });
  expect_two([&] { acre::fill(std::ranges::subrange(a.begin(), b.end()), 1); });
  const std::size_t size = acre::rank() == 0 ? 13 : 10;
  const std::string text = error_of([&] {
    acre::fill(std::ranges::subrange(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(size)), 1);
  });
  EXPECT_NE(text.find(acre::rank() == 0 ? "exceeds its end" : "invalid"), std::string::npos)
      << text;
  expect_two([&] { static_cast<void>(a.begin() == b.begin()); });
  expect_two([&] { static_cast<void>(a.end() - b.begin()); });
  expect_two([&] { static_cast<void>(a.begin() < b.end()); });
  expect_two([&] { static_cast<void>(acre::row(m, 1).begin() == acre::row(m, 2).begin()); });
  EXPECT_TRUE(a.begin() == std::as_const(a).begin());
  EXPECT_TRUE(acre::array<int>::iterator() == acre::array<int>::iterator());
}

TEST(IteratorsOfNoContainer, AreErrors) {
  const auto expect_none = [](auto&& call) {
    const std::string text = error_of(call);
    EXPECT_NE(text.find("the iterator does not belong to any "), std::string::npos) << text;
  };
  const auto fill = [](auto first) { acre::fill(std::ranges::subrange(first, first), 1); };
  expect_none([&] { fill(acre::array<int>::iterator()); });
  acre::matrix<int, 2> m(acre::world(), {2, 2}, 1);
  const auto row = acre::row(m, 1);
  expect_none([&] { fill(decltype(row.begin())()); });
  acre::array<int> gone(acre::world(), 4, 1);
  const acre::array<int> kept = std::move(gone);
  expect_none([&] { static_cast<void>(acre::reduce_on_all(gone | acre::views::strided(2))); });
  if constexpr (acre::base::has_checks) {
    expect_none([&] { static_cast<void>(int(*gone.begin())); });
    acre::coarray<int[3]> none;
    EXPECT_NE(error_of([&] { none[0] = 1; }).find(" does not exist"), std::string::npos);
  }
  acre::barrier();
}

class MembersThatDiffer : public testing::Test {
 protected:
  void SetUp() override {
    if (!acre::base::has_checks) GTEST_SKIP() << "needs ACRE_CHECKS";
    if (acre::size() == 1) GTEST_SKIP() << "a single rank cannot differ";
  }
  template <class Call>
  void expect_named(Call&& call, const std::string& what) {
    const std::string text = error_of(call);
    EXPECT_NE(text.find("rank 0 calls "), std::string::npos) << text;
    EXPECT_NE(text.find(", but rank "), std::string::npos) << text;
    EXPECT_NE(text.find(what), std::string::npos) << text;
    EXPECT_NE(text.find("call_ranges_ranks_test.cpp:"), std::string::npos) << text;
    acre::barrier();
  }
  const bool is_first_ = acre::rank() == 0;
};

TEST_F(MembersThatDiffer, SmokeSortDifferentArrays) {
  acre::array<int> a(acre::world(), 40, 1);
  acre::array<int> b(acre::world(), 80, 2);
  acre::array<int> c(acre::world(), 40, 3);
  expect_named([&] { acre::sort(is_first_ ? a : b); }, "sort (elements: 40)");
  expect_named([&] { acre::sort(is_first_ ? a : c); }, "they differ in the range");
  expect_named([&] { acre::sort(a | std::views::take(20 + 5 * (is_first_ ? 0 : 1))); },
               "sort (elements: 20)");
  EXPECT_EQ(acre::reduce_on_all(a), 40);
  EXPECT_EQ(acre::reduce_on_all(b), 160);
}

TEST_F(MembersThatDiffer, GiveOtherRangesToEachCall) {
  acre::array<int> a(acre::world(), 8, 1);
  acre::array<int> b(acre::world(), 8, 2);
  acre::array<int> to(acre::world(), 8, 0);
  auto& mine = is_first_ ? a : b;
  const std::string what = "they differ in the range";
  expect_named([&] { acre::fill(mine, 1); }, what);
  expect_named([&] { mine.fill(1); }, "they differ in the object");
  expect_named([&] { acre::for_each(mine, [](int& x) { ++x; }); }, what);
  expect_named([&] { acre::for_each(acre::seq, mine, [](int& x) { ++x; }); }, what);
  expect_named([&] { acre::copy(mine, to); }, what);
  expect_named([&] { acre::copy(to, mine); }, what);
  expect_named([&] { acre::transform(mine, to, std::identity()); }, what);
  expect_named([&] { static_cast<void>(acre::reduce_on_all(mine)); }, what);
  expect_named([&] { static_cast<void>(acre::reduce_on(0, mine)); }, what);
  expect_named([&] { static_cast<void>(acre::min_element_on_all(mine)); }, what);
  expect_named([&] { static_cast<void>(acre::find_on_all(mine, 1)); }, what);
  expect_named([&] { static_cast<void>(acre::equal_on_all(mine, to)); }, what);
  expect_named([&] { static_cast<void>(acre::is_sorted_on_all(mine)); }, what);
  expect_named([&] { acre::inclusive_scan(mine); }, what);
  expect_named([&] { acre::exclusive_scan(mine, to); }, what);
  expect_named([&] { acre::rotate(mine, 1); }, what);
  expect_named([&] { acre::reverse(mine); }, what);
  expect_named([&] { static_cast<void>(acre::histogram_on_all(mine, 2, 0, 9)); }, what);
  expect_named([&] { acre::store_npy("differ.npy", mine); }, what);
  expect_named([&] { acre::fill(mine | acre::views::strided(2), 1); }, what);
  expect_named([&] { acre::fill(a | acre::views::strided(is_first_ ? 4 : 5), 1); }, what);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(a[static_cast<std::size_t>(i)], 1);
    EXPECT_EQ(b[static_cast<std::size_t>(i)], 2);
  }
  acre::barrier();
}

TEST_F(MembersThatDiffer, GiveOtherBoxes) {
  acre::matrix<double, 2> a(acre::world(), {4, 4}, 1);
  acre::matrix<double, 2> b(acre::world(), {4, 4}, 2);
  acre::matrix<double, 2> to(acre::world(), {4, 4}, 0);
  auto& mine = is_first_ ? a : b;
  const std::string what = "they differ in the range";
  expect_named([&] { acre::copy(acre::whole(mine), acre::whole(to)); }, what);
  expect_named([&] { acre::transpose(mine, to); }, what);
  expect_named([&] { acre::multiply(mine, a, to); }, what);
  expect_named([&] { acre::fill(acre::row(a, is_first_ ? 1 : 2), 1.0); }, what);
  const acre::layout::box<2> wide{.first = {0, 0}, .extents = {1, 4}};
  const acre::layout::box<2> square{.first = {0, 0}, .extents = {2, 2}};
  expect_named([&] { acre::fill(acre::sub(a, is_first_ ? wide : square), 1.0); },
               "they differ in the extents");
}

TEST_F(MembersThatDiffer, MakeOtherCallsOrGiveOtherArguments) {
  acre::array<int> a(acre::world(), 10, 1);
  expect_named(
      [&] {
        if (is_first_) {
          acre::fill(a, 3);
        } else {
          acre::for_each(a, [](int& x) { x = 2; });
        }
      },
      "rank 0 calls fill (elements: 10) at ");
  expect_named([&] { acre::rotate(a, is_first_ ? 1U : 2U); }, "by: ");
  expect_named([&] { static_cast<void>(acre::reduce_on_all(a, is_first_ ? 0 : 1)); },
               "they differ in the initial value");
  expect_named(
      [&] {
        static_cast<void>(is_first_ ? acre::reduce_on_all(a)
                                    : acre::reduce_on_all(a, 0, acre::op::product));
      },
      "they differ in the operation");
  expect_named([&] { acre::fill(a, is_first_ ? 1 : 2); }, "they differ in the value");
  expect_named([&] { acre::fill(acre::par, a, is_first_ ? 1 : 2); }, "they differ in the value");
  acre::array<double> zeros(acre::world(), 10);
  acre::fill(zeros, is_first_ ? 0.0 : -0.0);
  expect_named([&] { acre::exclusive_scan(a, is_first_ ? 1 : 2); },
               "they differ in the initial value");
  expect_named([&] { is_first_ ? acre::inclusive_scan(a) : acre::exclusive_scan(a); },
               "they differ in the initial value");
  acre::coarray<int> x(acre::world());
  expect_named([&] { is_first_ ? x.co_sum() : x.co_max(); }, "they differ in the operation");
  expect_named([&] { static_cast<void>(acre::reduce_on(is_first_ ? 0 : 1, a)); }, "root: ");
  expect_named([&] { static_cast<void>(acre::histogram_on_all(a, is_first_ ? 3 : 4, 0, 9)); },
               "bins: ");
  expect_named([&] { static_cast<void>(acre::histogram_on_all(a, 3, is_first_ ? 0 : 1, 9)); },
               "they differ in the begin of the first bin");
  expect_named([&] { static_cast<void>(acre::histogram_on_all(a, 3, 0, is_first_ ? 8 : 9)); },
               "they differ in the end of the last bin");
  const auto holds = [](int x) { return x > 0; };
  const auto differ = [&](const std::string& what, auto&& one, auto&& other) {
    expect_named(
        [&] {
          if (is_first_) {
            static_cast<void>(one());
          } else {
            static_cast<void>(other());
          }
        },
        what);
  };
  const auto all = [&] { return acre::all_of_on_all(a, holds); };
  const auto any = [&] { return acre::any_of_on_all(a, holds); };
  const auto none = [&] { return acre::none_of_on_all(a, holds); };
  differ("rank 0 calls all_of_on_all (", all, any);
  differ("calls none_of_on_all (", any, none);
  differ("calls any_of_on_all (", none, any);
  differ("calls count_if_on_all (", all, [&] { return acre::count_if_on_all(a, holds); });
  differ("calls count_if_on_all (", all,
         [&] { return acre::count_if_on_all(acre::par, a, holds); });
  const auto of_value = [&](auto&& call) {
    expect_named([&] { static_cast<void>(call(is_first_ ? 1 : 2)); }, "they differ in the value");
  };
  of_value([&](int x) { return acre::count_on_all(a, x); });
  of_value([&](int x) { return acre::count_on(0, a, x); });
  of_value([&](int x) { return acre::find_on_all(a, x); });
  expect_named([&] { static_cast<void>(acre::reduce_on_all(acre::par, a, is_first_ ? 0 : 1)); },
               "they differ in the initial value");
  EXPECT_EQ(acre::count_if_on_all(acre::par, a, holds), acre::count_if_on_all(a, holds));
  if (is_first_) {
    acre::fill(a, 3);
  } else {
    acre::fill(a, 3);
  }
  EXPECT_EQ(acre::reduce_on_all(a), 30);
}

}  // namespace
