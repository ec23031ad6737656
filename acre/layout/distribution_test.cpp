// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/distribution.hpp>

#include <acre/base/failure_of_test.hpp>
#include <acre/layout/laws.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace {

using acre::base_test::problem_of;
using namespace acre;
using layout::broken_law;
using layout::coordinates;

template <std::size_t N>
coordinates<N> parts_for(const coordinates<N>& extents, layout::member_t members,
                         coordinates<N> parts = {}) {
  layout::find_parts(parts, extents, members);
  return parts;
}

TEST(Distribution, KeepsTheLawsOfPatterns) {
  for (layout::member_t members = 1; members <= 7; ++members) {
    EXPECT_EQ(broken_law(make_distribution({9, 5}, members, dist::balanced, dist::balanced)), "");
    EXPECT_EQ(broken_law(make_distribution({9, 5}, members, dist::blocked, dist::cyclic)), "");
    EXPECT_EQ(broken_law(make_distribution({9, 5}, members, dist::none, dist::tile(2))), "");
    EXPECT_EQ(broken_law(make_distribution({9}, members, dist::fixed_tile<4>)), "");
    EXPECT_EQ(broken_law(make_distribution({3, 4, 2}, members, dist::balanced, dist::none,
                                           dist::balanced)),
              "");
  }
}

TEST(Distribution, PutsMembersWhereTheirBoxesTouchLeast) {
  EXPECT_EQ(parts_for<2>({100, 100}, 4), (coordinates<2>{2, 2}));
  EXPECT_EQ(parts_for<2>({100, 100}, 6), (coordinates<2>{3, 2}));
  EXPECT_EQ(parts_for<2>({100, 400}, 4), (coordinates<2>{1, 4}));
  EXPECT_EQ(parts_for<2>({100, 100}, 7), (coordinates<2>{7, 1}));
  EXPECT_EQ(parts_for<3>({64, 64, 64}, 8), (coordinates<3>{2, 2, 2}));
  EXPECT_EQ(parts_for<3>({64, 64, 64}, 12), (coordinates<3>{3, 2, 2}));
  EXPECT_EQ(parts_for<2>({2, 100}, 8), (coordinates<2>{1, 8}));
}

TEST(Distribution, KeepsThePartsThatAreSaid) {
  EXPECT_EQ(parts_for<2>({100, 100}, 6, {0, 6}), (coordinates<2>{1, 6}));
  EXPECT_EQ(parts_for<3>({9, 9, 9}, 12, {3, 0, 1}), (coordinates<3>{3, 4, 1}));
  EXPECT_EQ(problem_of([] { static_cast<void>(parts_for<2>({9, 9}, 6, {4, 0})); }),
            "6 members do not fit a grid of 4 x 0 (0: open)");
  EXPECT_EQ(
      problem_of([] { static_cast<void>(make_distribution({9, 9}, 6, dist::none, dist::none)); }),
      "6 members do not fit a grid of 1 x 1 (0: open)");
}

TEST(Distribution, BlocksEndWhereItIsSaid) {
  const auto pattern = make_distribution({10}, 4, dist::at({0, 1, 1, 7, 10}));
  EXPECT_EQ(broken_law(pattern), "");
  EXPECT_EQ(pattern.local_size(0), 1U);
  EXPECT_EQ(pattern.local_size(1), 0U);
  EXPECT_EQ(pattern.local_size(2), 6U);
  EXPECT_EQ(pattern.place_of(std::size_t{7}), (layout::place{.member = 3, .offset = 0}));
}

TEST(Distribution, WeightsAreSharedOutEvenly) {
  EXPECT_EQ(layout::places_by_weight(std::vector<double>{1, 1, 9, 1, 2, 1, 1, 3}, 8, 4),
            (std::vector<std::size_t>{0, 2, 3, 8, 8}));
  EXPECT_EQ(layout::places_by_weight(std::vector<double>{2, 2, 2, 2, 2, 2}, 6, 3),
            (std::vector<std::size_t>{0, 2, 4, 6}));
  EXPECT_EQ(layout::places_by_weight(std::vector<double>{}, 0, 2),
            (std::vector<std::size_t>{0, 0, 0}));
  const auto pattern = make_distribution({4}, 2, dist::weighed({1, 1, 1, 3}));
  EXPECT_EQ(pattern.local_size(0), 3U);
}

TEST(Distribution, SaysWhatIsWrong) {
  constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(problem_of([] {
              static_cast<void>(make_distribution({std::size_t{1} << 40, std::size_t{1} << 40}, 2,
                                                  dist::balanced, dist::balanced));
            }),
            "1099511627776 x 1099511627776 elements exceed the upper bound of 2^63 - 1");
  EXPECT_EQ(problem_of([&] { static_cast<void>(make_distribution({huge}, 2, dist::blocked)); }),
            "18446744073709551615 elements exceed the upper bound of 2^63 - 1");
  EXPECT_EQ(problem_of([] { static_cast<void>(make_distribution({5}, 0, dist::blocked)); }),
            "the number of members is 0");
  EXPECT_EQ(problem_of([] { static_cast<void>(make_distribution({5}, 2, dist::tile(0))); }),
            "tile size 0 is invalid");
  EXPECT_EQ(problem_of([&] { static_cast<void>(make_distribution({5}, 2, dist::tile(huge))); }),
            "tile size 18446744073709551615 is too large");
  const std::string no_places = "the block offsets for 5 indices are invalid";
  for (const auto& places :
       std::vector<std::vector<std::size_t>>{{}, {0}, {1, 5}, {0, 6}, {0, 3, 2, 5}}) {
    EXPECT_EQ(problem_of([&] { static_cast<void>(make_distribution({5}, 9, dist::at(places))); }),
              no_places);
  }
  EXPECT_EQ(problem_of([] { static_cast<void>(make_distribution({5}, 1, dist::at({0, 2, 5}))); }),
            "2 blocks for 1 parts: each part holds one block");
  EXPECT_EQ(
      problem_of([] { static_cast<void>(make_distribution({2}, 1, dist::weighed({1, -1}))); }),
      "a weight is negative, too large or not a number");
}

}  // namespace
