// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/recognition.hpp>

#include <acre/mapping/shuffled_traffic_test.hpp>
#include <acre/mapping/structure.hpp>
#include <acre/mapping/structured.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace acre::mapping;
using message = traffic::message;
using namespace std::chrono_literals;

class Grids : public testing::TestWithParam<const char*> {};

TEST_P(Grids, AreFoundWhateverTheOrderOfTheirRanks) {
  const communication word = make_communication(GetParam());
  for (const change& each : {change{}, change{.added = 0.05}, change{.missing = 0.01}}) {
    const auto found = recognise(shuffled(word.traffic, each));
    ASSERT_TRUE(found) << each.added << " more, " << each.missing << " fewer";
    EXPECT_EQ(sorted(found->extents), sorted(word.extents));
    EXPECT_GT(found->explained, 0.94);
    std::vector<rank_t> once = found->ranks;
    std::ranges::sort(once);
    for (rank_t rank = 0; rank < once.size(); ++rank) ASSERT_EQ(once[rank], rank);
  }
}

INSTANTIATE_TEST_SUITE_P(Recognition, Grids,
                         testing::Values("cart:16x8x8", "cart:16ox8ox8o", "cart:24x24",
                                         "cart:32ox20o", "cart:24x24x16@8,8,1", "cart:12x9ox2",
                                         "cart:8x6x5x7", "cannon:18x18", "hypercube:9"));

TEST(Recognition, OfSmallGridsTakesAnyThatIsTheSame) {
  // A ring of four equals 2x2.
  const auto found = recognise(shuffled(make_communication("cart:8x4x4").traffic));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->explained, 1);
  EXPECT_EQ(recognise(shuffled(make_communication("cart:3x3x3").traffic))->extents,
            (std::vector<std::uint32_t>{3, 3, 3}));
  EXPECT_EQ(recognise(shuffled(make_communication("cart:12ox3ox3o").traffic))->extents,
            (std::vector<std::uint32_t>{12, 3, 3}));
}

TEST(Recognition, KeepsTheNumbersThatRanksHave) {
  for (const char* word : {"cart:6x10x4", "cart:20ox30o", "cart:5x4"}) {
    const communication known = make_communication(word);
    const auto found = recognise(known.traffic);
    ASSERT_TRUE(found) << word;
    EXPECT_EQ(found->extents, known.extents) << word;
    EXPECT_TRUE(std::ranges::is_sorted(found->ranks)) << word;
  }
}

TEST(Recognition, SeesTheHeavyMessagesAmongMany) {
  const communication halo = make_communication("cart:16x12x8@1e6");
  std::vector<message> messages;
  for (rank_t rank = 0; rank < halo.traffic.ranks(); ++rank) {
    for (const auto& [to, bytes] : halo.traffic.from(rank)) messages.push_back({rank, to, bytes});
    for (rank_t bit = 1; bit < 1024; bit *= 2) {
      if ((rank ^ bit) < halo.traffic.ranks()) messages.push_back({rank, rank ^ bit, 8});
    }
  }
  const auto found = recognise(shuffled({halo.traffic.ranks(), messages}));
  ASSERT_TRUE(found);
  EXPECT_EQ(sorted(found->extents), (std::vector<std::uint32_t>{8, 12, 16}));
}

TEST(Recognition, IsNotLedAstrayByOneThatTalksToAll) {
  const communication halo = make_communication("cart:24x20x16");
  std::vector<message> messages;
  for (rank_t rank = 0; rank < halo.traffic.ranks(); ++rank) {
    for (const auto& [to, bytes] : halo.traffic.from(rank)) messages.push_back({rank, to, bytes});
    if (rank != 0) messages.push_back({rank, 0, 1});
  }
  const auto found = recognise(shuffled({halo.traffic.ranks(), messages}));
  ASSERT_TRUE(found);
  EXPECT_EQ(sorted(found->extents), (std::vector<std::uint32_t>{16, 20, 24}));
}

TEST(Recognition, FindsRowsAndColumns) {
  for (const char* word : {"rows:24x16", "columns:16x24"}) {
    const auto found = recognise(shuffled(make_communication(word).traffic, {.added = 0.02}));
    ASSERT_TRUE(found) << word;
    EXPECT_EQ(found->extents, (std::vector<std::uint32_t>{24, 16})) << word;
    EXPECT_GT(found->explained, 0.95) << word;
  }
  std::vector<message> both;
  for (const char* word : {"rows:12x16", "columns:12x16"}) {
    const traffic one = make_communication(word).traffic;
    for (rank_t rank = 0; rank < one.ranks(); ++rank) {
      for (const auto& [to, bytes] : one.from(rank)) both.push_back({rank, to, bytes});
    }
  }
  const auto found = recognise(shuffled({12 * 16, both}));
  ASSERT_TRUE(found);
  EXPECT_EQ(sorted(found->extents), (std::vector<std::uint32_t>{12, 16}));
  EXPECT_EQ(found->explained, 1);
}

TEST(Recognition, WalksAlongTreesAndRings) {
  std::vector<message> tree;
  for (rank_t rank = 1; rank < 255; ++rank) tree.push_back({rank, (rank - 1) / 2, 1});
  EXPECT_EQ(recognise(shuffled({255, tree}))->explained, 1);
  std::vector<message> ring;
  for (rank_t rank = 0; rank < 100; ++rank) ring.push_back({rank, (rank + 1) % 100, 1});
  const traffic flows = shuffled({100, ring});
  const auto found = recognise(flows);
  ASSERT_TRUE(found);
  const traffic pairs = both_ways(flows);
  for (rank_t i = 1; i < 100; ++i) {
    const auto to = pairs.from(found->ranks[i]);
    EXPECT_TRUE(
        std::ranges::any_of(to, [&](auto& flow) { return flow.to == found->ranks[i - 1]; }));
  }
}

TEST(Recognition, FindsNothingWhereThereIsNothing) {
  std::mt19937_64 random(5);
  std::vector<message> messages;
  for (int i = 0; i < 3000; ++i) {
    messages.push_back(
        {static_cast<rank_t>(random() % 500), static_cast<rank_t>(random() % 500), 1});
  }
  EXPECT_FALSE(recognise({500, messages}));
  EXPECT_FALSE(recognise({500, {}}));
  const message one{1, 499, 5};
  EXPECT_FALSE(recognise({500, std::span(&one, 1)}));
  EXPECT_FALSE(recognise({0, {}}));
  EXPECT_FALSE(recognise({1, {}}));
}

TEST(Recognition, FindsNoGridAmongPointsThatAreNearEachOther) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(0, 1);
  for (const rank_t ranks : {128U, 1024U}) {
    std::vector<std::pair<double, double>> points;
    for (rank_t i = 0; i < ranks; ++i) points.emplace_back(place(random), place(random));
    std::vector<message> messages;
    const double reach = std::sqrt(8 / (3.14 * ranks));
    for (rank_t i = 0; i < ranks; ++i) {
      for (rank_t j = 0; j < i; ++j) {
        const double x = points[i].first - points[j].first;
        const double y = points[i].second - points[j].second;
        if (std::hypot(x, y) < reach) messages.push_back({i, j, 1});
      }
    }
    EXPECT_FALSE(recognise({ranks, messages})) << ranks;
  }
}

/// Graph generator R-MAT: Chakrabarti, Zhan, Faloutsos, 2004.
TEST(Recognition, FindsNoGridInGraphsOfFewThatHaveMany) {
  std::mt19937_64 random(5);
  std::discrete_distribution<unsigned> quarter({57, 19, 19, 5});
  for (const unsigned bits : {8U, 11U}) {
    std::vector<message> messages;
    for (unsigned i = 0; i < 8U << bits; ++i) {
      message next{0, 0, 1};
      for (unsigned bit = 0; bit < bits; ++bit) {
        const unsigned chosen = quarter(random);
        next.from = 2 * next.from + chosen / 2;
        next.to = 2 * next.to + chosen % 2;
      }
      messages.push_back(next);
    }
    EXPECT_FALSE(recognise({rank_t{1} << bits, messages})) << bits;
  }
}

TEST(Recognition, EndsWhenItsTimeIsOver) {
  const traffic flows = shuffled(make_communication("cart:32x32x16").traffic, {.added = 0.05});
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(recognise(flows, begin));
  const auto found = recognise(flows, begin + 2ms);
  EXPECT_TRUE(!found || found->explained > 0.9);
  EXPECT_TRUE(recognise(flows, begin + 1h));
}

TEST(Recognition, LeavesGridsThatAreKnownAlone) {
  const communication known = make_communication("cart:16x16");
  EXPECT_TRUE(with_structure(known).ranks_of_cells.empty());
  const communication found =
      with_structure(without_grid("trace", shuffled(make_communication("cart:16x16").traffic)));
  EXPECT_EQ(found.extents, (std::vector<std::uint32_t>{16, 16}));
  EXPECT_EQ(found.ranks_of_cells.size(), 256U);
}

communication of_program(const traffic& flows, std::vector<known_grid> grids) {
  communication what = without_grid("trace", flows);
  what.known_grids = std::move(grids);
  return what;
}

TEST(KnownGrids, AreTakenWhereTheTrafficKeepsToThem) {
  const traffic flows = make_communication("cart:4x3x2").traffic;
  const communication found = with_structure(
      of_program(flows, {{{24}, {{0, 23}}}, {{4, 3, 2}, {{0, 23}}}, {{3, 8}, {{0, 23}}}}));
  EXPECT_EQ(found.extents, (std::vector<std::uint32_t>{4, 3, 2}));
  EXPECT_EQ(found.structure,
            "a grid of 4x3x2, a Cartesian communicator of the program, with 100 % of the bytes "
            "in it");
  EXPECT_TRUE(found.remarks.empty());
}

TEST(KnownGrids, HaveTheirRanksInAnyOrder) {
  std::vector<message> messages;
  for (rank_t i = 0; i < 6; ++i) messages.push_back({5 - i, 5 - (i + 3) % 6, 8});
  const communication found = with_structure(
      of_program({6, messages}, {{{2, 3}, {{5, 5}, {4, 4}, {3, 3}, {2, 2}, {1, 1}, {0, 0}}}}));
  EXPECT_EQ(found.extents, (std::vector<std::uint32_t>{2, 3})) << "also of a few ranks";
  EXPECT_EQ(found.ranks_of_cells, (std::vector<rank_t>{5, 4, 3, 2, 1, 0}));
}

TEST(KnownGrids, ArePassedOverWhereTheTrafficGoesElsewhere) {
  const traffic flows = make_communication("cart:8x4").traffic;
  const communication found = with_structure(of_program(flows, {{{2, 16}, {{0, 15}, {16, 31}}}}));
  EXPECT_EQ(found.extents, (std::vector<std::uint32_t>{8, 4}));
  ASSERT_EQ(found.remarks.size(), 1U);
  EXPECT_EQ(found.remarks[0],
            "a grid of 2x16, a Cartesian communicator of the program, has 37 % of the bytes in it: "
            "it is ignored");
  EXPECT_EQ(found.structure, "a grid of 8x4, with 100 % of the bytes in it");
}

TEST(KnownGrids, ArePassedOverWhereTheyLackRanksOrNameSomeTwice) {
  const traffic flows = make_communication("cart:8x4").traffic;
  for (const known_grid& each : {known_grid{{31}, {{0, 30}}}, known_grid{{32}, {{0, 30}, {5, 5}}},
                                 known_grid{{8, 4}, {{1, 32}}}}) {
    const communication found = with_structure(of_program(flows, {each}));
    EXPECT_EQ(found.structure, "a grid of 8x4, with 100 % of the bytes in it");
    ASSERT_EQ(found.remarks.size(), 1U);
    EXPECT_EQ(
        found.remarks[0],
        "the Cartesian communicators of the program do not contain all 32 ranks: they are ignored");
  }
}

}  // namespace
