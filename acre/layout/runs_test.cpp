// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/runs.hpp>

#include <acre/layout/blocked.hpp>
#include <acre/layout/deduction.hpp>
#include <acre/layout/hosted.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace {

using namespace acre;
using layout::member_t;

template <class Pattern>
void expect_all_elements_in_runs(const Pattern& pattern) {
  std::vector<int> seen(pattern.size());
  for (member_t member = 0; member < pattern.members(); ++member) {
    layout::each_run(pattern, member, [&](std::size_t index, const layout::segment& run) {
      EXPECT_EQ(run.member, member);
      EXPECT_GT(run.count, 0U);
      for (std::size_t i = 0; i < run.count; ++i) {
        ++seen[index + i];
        EXPECT_EQ(pattern.place_of(index + i),
                  (layout::place{.member = member, .offset = run.offset + i}));
      }
    });
  }
  EXPECT_EQ(seen, std::vector<int>(pattern.size(), 1));
}

template <class Pattern>
void expect_all_elements_in_runs_of_parts(const Pattern& pattern) {
  for (std::size_t first = 0; first <= pattern.size(); first += 3) {
    for (std::size_t last = first; last <= pattern.size(); last += 4) {
      std::vector<int> seen(pattern.size());
      for (member_t member = 0; member < pattern.members(); ++member) {
        layout::each_run(
            pattern, member, first, last, [&](std::size_t index, const layout::segment& run) {
              EXPECT_GT(run.count, 0U);
              for (std::size_t i = 0; i < run.count; ++i) {
                ++seen.at(index + i);
                EXPECT_EQ(pattern.place_of(index + i), (layout::place{member, run.offset + i}));
              }
            });
      }
      std::vector<int> expected(pattern.size());
      for (std::size_t i = first; i < last; ++i) expected[i] = 1;
      EXPECT_EQ(seen, expected) << first << " … " << last;
    }
  }
}

TEST(Runs, HaveEachElementOnce) {
  for (const member_t members : {1U, 3U, 4U, 6U}) {
    expect_all_elements_in_runs(layout::blocked(17, members));
    expect_all_elements_in_runs(layout::hosted(17, members, members - 1));
    expect_all_elements_in_runs(make_distribution({17}, members, dist::cyclic));
    expect_all_elements_in_runs(make_distribution({7, 9}, members, dist::tile(2), dist::balanced));
    expect_all_elements_in_runs(make_pattern<layout::column_major_layout>({7, 9}, members));
    expect_all_elements_in_runs(make_pattern<use_case::transpose>({7, 9}, members));
    expect_all_elements_in_runs(make_pattern<use_case::dgemm>({7, 5, 3}, members));
    expect_all_elements_in_runs(
        make_pattern<use_case::transpose, layout::column_major_layout>({7, 9}, members));
  }
}

TEST(Runs, OfAPartHaveEachOfItsElementsOnce) {
  for (const member_t members : {1U, 3U, 4U}) {
    expect_all_elements_in_runs_of_parts(layout::blocked(17, members));
    expect_all_elements_in_runs_of_parts(layout::hosted(17, members, members - 1));
    expect_all_elements_in_runs_of_parts(make_distribution({17}, members, dist::cyclic));
    expect_all_elements_in_runs_of_parts(
        make_distribution({5, 7}, members, dist::tile(2), dist::balanced));
    expect_all_elements_in_runs_of_parts(
        make_pattern<layout::column_major_layout>({5, 7}, members));
    expect_all_elements_in_runs_of_parts(make_pattern<use_case::transpose>({5, 7}, members));
  }
}

struct counted_cyclic : decltype(make_distribution({0}, 1, dist::cyclic)) {
  using pattern = decltype(make_distribution({0}, 1, dist::cyclic));
  explicit counted_cyclic(const pattern& of) : pattern(of) {}
  [[nodiscard]] std::size_t index_of(layout::place where) const noexcept {
    ++looks;
    return pattern::index_of(where);
  }
  static inline std::size_t looks = 0;
};

TEST(Runs, OfASmallPartAreFoundWithoutAWalkOverTheOthers) {
  const counted_cyclic pattern(make_distribution({1'000'000}, 4, dist::cyclic));
  std::size_t runs = 0;
  layout::each_run(pattern, 1, 500'000, 500'012,
                   [&](std::size_t, const layout::segment&) { ++runs; });
  EXPECT_EQ(runs, 3U);
  EXPECT_LT(counted_cyclic::looks, 30U);
}

TEST(Runs, AreAsLongAsTheyCanBe) {
  std::size_t runs = 0;
  layout::each_run(layout::blocked(100, 3), 1, [&](std::size_t index, const layout::segment& run) {
    EXPECT_EQ(index, 34U);
    EXPECT_EQ(run.count, 34U);
    ++runs;
  });
  EXPECT_EQ(runs, 1U);
}

}  // namespace
