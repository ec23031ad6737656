// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/pattern_text.hpp>

#include <acre/layout/distribution.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace acre;

template <class Pattern>
void expect_same_again(const Pattern& pattern, const std::string& text) {
  EXPECT_EQ(layout::pattern_text(pattern), text);
  const auto again = layout::pattern_of_text<Pattern>(text, pattern.extents(), pattern.members());
  ASSERT_TRUE(again) << text;
  EXPECT_EQ(*again, pattern);
}

TEST(PatternText, SaysAPatternThatIsMadeOfItAgain) {
  expect_same_again(make_distribution({9, 5}, 6, dist::balanced, dist::tile(2)),
                    "balanced, tile(2) | grid 3 x 2 | rows");
  expect_same_again(make_distribution({2, 11}, 6, dist::none, dist::at({0, 0, 3, 9, 11})),
                    "none, at(0 0 3 9 11) | grid 1 x 6 | rows");
  expect_same_again(make_distribution({9, 5}, 4, team_spec<2>({2, 2}), dist::blocked, dist::cyclic),
                    "blocked, cyclic | grid 2 x 2 | rows");
  EXPECT_EQ(layout::pattern_text(layout::blocked(10, 3)), "blocked | grid 3 | rows");
}

TEST(PatternText, IsNoneOfOtherPatterns) {
  const auto ragged = make_distribution({10}, 2, dist::at({0, 3, 10}));
  const auto is_made_of = [&](const char* text, layout::member_t members = 2) {
    return layout::pattern_of_text<decltype(ragged)>(text, {10}, members).has_value();
  };
  EXPECT_TRUE(is_made_of("at(0 3 10) | grid 2 | rows"));
  EXPECT_FALSE(is_made_of("at(0 3 10) | grid 2 | rows", 3));
  for (const char* other :
       {"", "at(0 3 10)", "at(0 3 9) | grid 2 | rows", "at(0 4 3 10) | grid 3 | rows",
        "at(0 3 5 10) | grid 2 | rows", "at(0 x 10) | grid 2 | rows", "at(0 3 10 | grid 2 | rows",
        "at() | grid 2 | rows", "balanced | grid 2 | rows", "at(0 3 10), none | grid 2 | rows",
        "at(0 3 10) | grid 2 x 1 | rows", "at(0 3 10) | grid 2 | columns",
        "at(0 3 10) | in turn 2 | rows"}) {
    EXPECT_FALSE(is_made_of(other)) << other;
  }
}

}  // namespace
