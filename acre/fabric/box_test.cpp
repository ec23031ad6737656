// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/box.hpp>

#include <acre/fabric/box_copy.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

using acre::fabric::box;

using places = std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>>;

places runs_of(const box& shape, std::size_t first = 0) {
  places all;
  for (box::walk at(shape, first); at.left() != 0; at.next()) {
    all.emplace_back(at.remote(), at.local());
  }
  return all;
}

TEST(Box, IsOneRunAtFirst) {
  const box shape(24);
  EXPECT_EQ(shape.runs(), 1U);
  EXPECT_EQ(shape.bytes(), 24U);
  EXPECT_EQ(runs_of(shape), (places{{0, 0}}));
}

TEST(Box, MergesWhatIsContiguousOnBothSides) {
  box shape(8);
  shape.repeat(10, 8, 8);
  shape.repeat(3, 80, 80);
  EXPECT_EQ(shape.runs(), 1U);
  EXPECT_EQ(shape.run_bytes(), 240U);
  shape.repeat(5, 1000, 240);
  EXPECT_EQ(shape.runs(), 5U);
  shape.repeat(2, 5000, 1200);
  EXPECT_EQ(runs_of(shape).back(), (std::pair<std::ptrdiff_t, std::ptrdiff_t>{9000, 2160}));
}

TEST(Box, TakesMoreDimensionsThanItHasWhereTheyMerge) {
  box shape(1);
  std::ptrdiff_t step = 2;
  for (int i = 0; i < 20; ++i, step *= 2) shape.repeat(2, step, step);
  EXPECT_EQ(shape.runs(), std::size_t{1} << 20);
}

TEST(Box, IsEmptyWhereADimensionIs) {
  box shape(8);
  shape.repeat(4, 100, 100);
  shape.repeat(0, 8, 8);
  shape.repeat(3, 1000, 1000);
  EXPECT_EQ(shape.runs(), 0U);
  EXPECT_EQ(shape.bytes(), 0U);
  EXPECT_TRUE(runs_of(shape).empty());
  box nothing(0);
  nothing.repeat(4, 8, 8);
  EXPECT_EQ(nothing.runs(), 0U);
}

TEST(Box, GoesOnFromAnyRun) {
  box shape(4);
  shape.repeat(3, -10, 4000);
  shape.repeat(1, 77, 77);
  shape.repeat(4, 100, -8);
  shape.repeat(2, 9999, 1);
  const places all = runs_of(shape);
  ASSERT_EQ(all.size(), 24U);
  EXPECT_EQ(all[5], (std::pair<std::ptrdiff_t, std::ptrdiff_t>{80, 7992}));
  for (std::size_t first = 0; first <= all.size(); ++first) {
    EXPECT_EQ(runs_of(shape, first),
              places(all.begin() + static_cast<std::ptrdiff_t>(first), all.end()));
  }
}

TEST(Box, FallsIntoLinesOfRunsAtEqualDistances) {
  box shape(4);
  shape.repeat(3, 10, -100);
  shape.repeat(4, 100, 8);
  shape.repeat(2, 9999, 500);
  const places all = runs_of(shape);
  for (std::size_t first = 0; first <= all.size(); ++first) {
    for (std::size_t count = 0; first + count <= all.size(); ++count) {
      places found;
      std::size_t lines = 0;
      shape.each_line(first, count, [&](const box::line& line) {
        ++lines;
        for (std::size_t i = 0; i < line.runs; ++i) {
          const auto steps = static_cast<std::ptrdiff_t>(i);
          found.emplace_back(line.remote + steps * line.remote_step,
                             line.local + steps * line.local_step);
        }
      });
      EXPECT_EQ(found, places(all.begin() + static_cast<std::ptrdiff_t>(first),
                              all.begin() + static_cast<std::ptrdiff_t>(first + count)));
      EXPECT_LE(lines, count / 3 + 2);
    }
  }
}

TEST(Box, KnowsWhetherItIsDenseHere) {
  box shape(8);
  EXPECT_TRUE(shape.is_dense_here());
  shape.repeat(5, 80, 8);
  EXPECT_TRUE(shape.is_dense_here());
  shape.repeat(3, 4000, 40);
  EXPECT_TRUE(shape.is_dense_here());
  shape.repeat(2, 99999, 128);
  EXPECT_FALSE(shape.is_dense_here());
  box apart(8);
  apart.repeat(5, 8, 16);
  EXPECT_FALSE(apart.is_dense_here());
}

TEST(Box, IsCopiedPackedAndUnpackedOnEitherSide) {
  for (const std::size_t run : {1U, 4U, 7U, 8U, 16U, 32U, 48U, 64U, 100U}) {
    const auto step = static_cast<std::ptrdiff_t>(run);
    box shape(run);
    shape.repeat(3, 2 * step, step + 1);
    shape.repeat(4, -7 * step, 5 * step + 5);
    shape.repeat(2, 40 * step, 21 * step + 20);
    std::vector<std::byte> remote(80 * run);
    std::vector<std::byte> local(50 * run + 50);
    for (std::size_t i = 0; i < remote.size(); ++i) remote[i] = static_cast<std::byte>(i * 7 + 1);
    std::byte* const first = remote.data() + 21 * run;
    acre::fabric::copy_to_local(local.data(), first, shape);
    for (const auto& [there, here] : runs_of(shape)) {
      EXPECT_TRUE(std::equal(first + there, first + there + step, local.data() + here));
    }
    std::vector<std::byte> from_remote(shape.bytes());
    std::vector<std::byte> from_local(shape.bytes());
    std::vector<std::byte> remote_again(remote.size());
    std::vector<std::byte> local_again(local.size());
    for (std::size_t begin = 0; begin < shape.runs(); begin += 5) {
      const acre::fabric::box_part part{shape, begin, std::min<std::size_t>(5, 24 - begin)};
      acre::fabric::pack_remote(from_remote.data() + begin * run, first, part);
      acre::fabric::pack_local(from_local.data() + begin * run, local.data(), part);
      acre::fabric::unpack_remote(remote_again.data() + 21 * run, from_local.data() + begin * run,
                                  part);
      acre::fabric::unpack_local(local_again.data(), from_remote.data() + begin * run, part);
    }
    EXPECT_EQ(from_remote, from_local);
    EXPECT_EQ(local_again, local);
    std::vector<std::byte> remote_copied(remote.size());
    acre::fabric::copy_to_remote(remote_copied.data() + 21 * run, local.data(), shape);
    EXPECT_EQ(remote_again, remote_copied);
  }
}

TEST(Box, LiesInMemoryOrDoesNot) {
  box rows(8);
  rows.repeat(4, 64, 8);
  EXPECT_TRUE(rows.lies_in(0, 200));
  EXPECT_TRUE(rows.lies_in(56, 256));
  EXPECT_FALSE(rows.lies_in(0, 199));
  EXPECT_FALSE(rows.lies_in(57, 256));
  EXPECT_FALSE(rows.lies_in(~std::uint64_t{0}, 256));
  box up(8);
  up.repeat(4, -64, 8);
  EXPECT_TRUE(up.lies_in(192, 200));
  EXPECT_FALSE(up.lies_in(191, 200));
  EXPECT_FALSE(up.lies_in(193, 200));
  box far_elsewhere(8);
  far_elsewhere.repeat(3, 8, std::ptrdiff_t{1} << 60);
  EXPECT_TRUE(far_elsewhere.lies_in(0, 200));
  far_elsewhere.repeat(2, 40, std::ptrdiff_t{1} << 60);
  EXPECT_FALSE(far_elsewhere.lies_in(0, 200)) << "whose places cannot be counted";
  box again_and_again(16);
  again_and_again.repeat(std::size_t{1} << 58, 0, 0);
  EXPECT_TRUE(again_and_again.lies_in(0, 200));
  again_and_again.repeat(4, 16, 0);
  EXPECT_FALSE(again_and_again.lies_in(0, 200)) << "whose bytes cannot be counted";
  EXPECT_TRUE(box(16).lies_in(184, 200));
  EXPECT_FALSE(box(16).lies_in(185, 200));
  box far(8);
  far.repeat(std::size_t{1} << 40, std::ptrdiff_t{1} << 40, 8);
  EXPECT_FALSE(far.lies_in(0, std::uint64_t{1} << 62));
}

}  // namespace
