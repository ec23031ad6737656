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

/// The runs of all members together have each element once, where the pattern says.
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
