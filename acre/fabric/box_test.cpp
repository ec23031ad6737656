#include <acre/fabric/box.hpp>

#include <gtest/gtest.h>

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
  shape.repeat(5, 1000, 240);  // not there
  EXPECT_EQ(shape.runs(), 5U);
  shape.repeat(2, 5000, 1200);  // goes on as the dimension before it
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

}  // namespace
