// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/composed.hpp>

#include <acre/layout/laws.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace acre::layout;

template <class Pattern>
std::string broken_block_law(const Pattern& pattern) {
  constexpr std::size_t N = Pattern::dimensions;
  std::vector<int> seen(pattern.size());
  const box<N> all{.extents = pattern.blocks()};
  for (std::size_t number = 0; number < all.size(); ++number) {
    const coordinates<N> block = row_major::at<N>(number, all.extents);
    const piece<N> lies = pattern.block(block);
    if (lies.member >= pattern.members()) return "a block is held by no member";
    for (std::size_t i = 0; i < lies.where.size(); ++i) {
      coordinates<N> at = row_major::at<N>(i, lies.where.extents);
      std::size_t offset = lies.offset;
      for (std::size_t d = 0; d < N; ++d) {
        offset += at[d] * lies.strides[d];
        at[d] += lies.where.first[d];
      }
      ++seen[pattern.number_of(at)];
      if (pattern.block_of(at) != block) return "block_of disagrees with the block's box";
      if (pattern.place_of(at) != place{.member = lies.member, .offset = offset}) {
        return "a block does not lie where its elements do";
      }
    }
  }
  for (const int times : seen) {
    if (times != 1) return "an element is not in exactly one block";
  }
  std::size_t filled = 0;
  for (member_t member = 0; member < pattern.members(); ++member) {
    for (std::size_t i = 0; i < pattern.slots(); ++i) {
      const auto block = pattern.block_at({.member = member, .number = i});
      if (!block) continue;
      ++filled;
      if (pattern.owners().slot_of(*block) != slot{.member = member, .number = i}) {
        return "block_at is not the inverse of slot_of";
      }
    }
  }
  return filled == all.size() ? "" : "a slot holds no block, or one that there is not";
}

template <class Pattern>
void expect_laws(const Pattern& pattern) {
  EXPECT_EQ(broken_law(pattern), "");
  EXPECT_EQ(broken_block_law(pattern), "");
}

constexpr partition cuts_of_example(tiled_cut<16>(100), tiled_cut<16>(80));
constexpr composed example(cuts_of_example, grid<2>(cuts_of_example.blocks(), {2, 3}),
                           canonical<>{});
static_assert(example.place_of(coordinates<2>{17, 3}) == place{.member = 3, .offset = 35});
static_assert(example.local_extents(3) == coordinates<2>{48, 32});

constexpr partition small_cuts(tiled_cut<2>(3), tiled_cut<3>(5));
static_assert(broken_law(composed(small_cuts, shifted<2>(small_cuts.blocks(), 3), tiled<>{})) ==
              "");
static_assert(broken_law(composed(small_cuts, in_turn<2>(small_cuts.blocks(), 4), tiled<>{})) ==
              "");
static_assert(broken_law(composed(small_cuts, grid<2>(small_cuts.blocks(), {2, 2}),
                                  canonical<column_major>{})) == "");

class by_chance {
 public:
  explicit by_chance(unsigned seed) : random_(seed) {}
  [[nodiscard]] std::size_t below(std::size_t end) { return random_() % end; }
  [[nodiscard]] std::size_t from_one(std::size_t last) { return 1 + below(last); }
  [[nodiscard]] cut_at any_cut(std::size_t extent, std::size_t parts) {
    std::vector<std::size_t> places{0, extent};
    while (places.size() < parts + 1) places.push_back(below(extent + 1));
    std::sort(places.begin(), places.end());
    return cut_at(places);
  }

 private:
  std::mt19937 random_;
};

template <class Order, cut... Cuts>
void expect_laws_in_grid(std::array<std::size_t, sizeof...(Cuts)> parts, const Cuts&... cut) {
  const partition cuts(cut...);
  const grid<sizeof...(Cuts)> owners(cuts.blocks(), parts);
  expect_laws(composed(cuts, owners, canonical<Order>{}));
  expect_laws(composed(cuts, owners, tiled<Order>{}));
}

constexpr unsigned shapes = 30;

TEST(Composed, KeepsTheLawsInOneDimension) {
  by_chance any(1);
  for (unsigned i = 0; i < shapes; ++i) {
    const std::size_t extent = any.below(40);
    const std::size_t parts = any.from_one(7);
    SCOPED_TRACE(std::to_string(extent) + " on " + std::to_string(parts));
    expect_laws_in_grid<row_major>({parts}, blocked_cut(extent, parts));
    expect_laws_in_grid<row_major>({parts}, balanced_cut(extent, parts));
    expect_laws_in_grid<row_major>({parts}, tiled_cut(extent, any.from_one(9)));
    expect_laws_in_grid<column_major>({parts}, tiled_cut<1>(extent));
    expect_laws_in_grid<row_major>({parts}, any.any_cut(extent, parts));
    expect_laws_in_grid<row_major>({1}, whole_cut(extent));
  }
}

TEST(Composed, KeepsTheLawsInTwoDimensions) {
  by_chance any(2);
  for (unsigned i = 0; i < shapes; ++i) {
    const std::size_t rows = any.below(9);
    const std::size_t columns = any.below(9);
    const std::array parts{any.from_one(3), any.from_one(4)};
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns) + " on " +
                 std::to_string(parts[0]) + " x " + std::to_string(parts[1]));
    expect_laws_in_grid<row_major>(parts, balanced_cut(rows, parts[0]),
                                   blocked_cut(columns, parts[1]));
    expect_laws_in_grid<column_major>(parts, tiled_cut<2>(rows),
                                      tiled_cut(columns, any.from_one(4)));
    expect_laws_in_grid<row_major>(parts, any.any_cut(rows, parts[0]), tiled_cut<1>(columns));
    expect_laws_in_grid<row_major>({parts[0], 1}, balanced_cut(rows, parts[0]), whole_cut(columns));
  }
}

TEST(Composed, KeepsTheLawsInThreeAndFourDimensions) {
  by_chance any(3);
  for (unsigned i = 0; i < shapes / 2; ++i) {
    const std::array parts{any.from_one(3), any.from_one(2), any.from_one(2)};
    expect_laws_in_grid<row_major>(parts, balanced_cut(any.below(5), parts[0]),
                                   tiled_cut<2>(any.below(5)),
                                   balanced_cut(any.below(5), parts[2]));
    expect_laws_in_grid<column_major>({parts[0], 1, 1, parts[1]},
                                      blocked_cut(any.below(4), parts[0]), whole_cut(any.below(4)),
                                      whole_cut(any.below(4)), tiled_cut<1>(any.below(4)));
  }
}

template <class Cuts>
void expect_laws_of_tiles(const Cuts& cuts, by_chance& any) {
  constexpr std::size_t N = Cuts::dimensions;
  const coordinates<N> blocks = cuts.blocks();
  const auto members = static_cast<member_t>(any.from_one(7));
  SCOPED_TRACE(members);
  expect_laws(composed(cuts, in_turn<N>(blocks, members), tiled<row_major>{}));
  expect_laws(composed(cuts, shifted<N>(blocks, members), tiled<column_major>{}));
  std::vector<member_t> owners(box<N>{.extents = blocks}.size());
  for (member_t& owner : owners) owner = static_cast<member_t>(any.below(members));
  expect_laws(composed(cuts, assigned<N>(blocks, members, owners), tiled<row_major>{}));
}

TEST(Composed, KeepsTheLawsWithTilesHere) {
  by_chance any(4);
  for (unsigned i = 0; i < shapes; ++i) {
    expect_laws_of_tiles(partition(tiled_cut(any.below(40), any.from_one(5))), any);
    expect_laws_of_tiles(partition(tiled_cut<2>(any.below(9)), tiled_cut<3>(any.below(9))), any);
    expect_laws_of_tiles(partition(tiled_cut<2>(any.below(6)), tiled_cut<1>(any.below(4)),
                                   tiled_cut<2>(any.below(6))),
                         any);
    expect_laws_of_tiles(partition(any.any_cut(8, 4), any.any_cut(6, 3)), any);
  }
}

TEST(Composed, ShiftedTilesGiveEachLineOfBlocksToAllMembers) {
  constexpr partition grid_of_tiles(tiled_cut<1>(9), tiled_cut<1>(9), tiled_cut<1>(9));
  for (member_t members = 1; members <= 9; ++members) {
    const shifted<3> owners(grid_of_tiles.blocks(), members);
    for (std::size_t d = 0; d < 3; ++d) {
      for (std::size_t first = 0; first + members <= 9; ++first) {
        std::vector<bool> has_one(members);
        for (std::size_t i = 0; i < members; ++i) {
          coordinates<3> block{4, 5, 6};
          block[d] = first + i;
          has_one[owners.slot_of(block).member] = true;
        }
        EXPECT_EQ(has_one, std::vector<bool>(members, true));
      }
    }
  }
}

TEST(Composed, RunsGoOnOverRowsThatAMemberHasAsAWhole) {
  const partition rows(balanced_cut(8, 2), whole_cut(10), whole_cut(3));
  const composed pattern(rows, grid<3>(rows.blocks(), {2, 1, 1}), canonical<>{});
  EXPECT_EQ(pattern.run_length(0), 120U);
  EXPECT_EQ(pattern.run_length(37), 83U);
  EXPECT_EQ(pattern.run_length(120), 120U);
}

}  // namespace
