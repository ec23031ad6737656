// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/location.hpp>

#include <gtest/gtest.h>

#include <set>

namespace acre::amr {
namespace {

constexpr location deep{3, {7, 0, 4}};

TEST(Location, IsItsParentsChild) {
  for (unsigned number = 0; number < children_of_node; ++number) {
    EXPECT_EQ(deep.child(number).parent(), deep);
    EXPECT_EQ(deep.child(number).number(), number);
  }
}

TEST(Location, HasNeighboursAroundThePeriodicCube) {
  EXPECT_EQ(deep.across(face::x_high), (location{3, {0, 0, 4}}));
  EXPECT_EQ(deep.across(face::y_low), (location{3, {7, 7, 4}}));
  EXPECT_EQ(deep.across(face::z_low), (location{3, {7, 0, 3}}));
  EXPECT_EQ(location{}.across(face::z_high), location{});
  for (const face f : faces) EXPECT_EQ(deep.across(f).across(opposite(f)), deep);
}

TEST(Location, HasFourChildrenAtEachFaceByTheirParts) {
  for (const face f : faces) {
    for (unsigned part = 0; part < parts_of_face; ++part) {
      const unsigned child = child_at(f, part);
      EXPECT_TRUE(touches(child, f));
      EXPECT_FALSE(touches(child, opposite(f)));
      EXPECT_EQ(part_of(child, f), part);
      EXPECT_EQ(deep.child(child).across(f), deep.across(f).child(child_at(opposite(f), part)));
    }
  }
}

TEST(Location, HasAKeyOfItsOwnAndAPlaceOnTheCurve) {
  std::set<std::uint64_t> keys{location{}.key(), deep.key()};
  for (unsigned number = 0; number < children_of_node; ++number) {
    const location child = deep.child(number);
    keys.insert(child.key());
    EXPECT_EQ(child.key(), 8 * deep.key() + number);
    EXPECT_GE(child.curve_begin(), deep.curve_begin());
    if (number > 0) {
      EXPECT_GT(child.curve_begin(), deep.child(number - 1).curve_begin());
    }
  }
  EXPECT_EQ(keys.size(), 2 + children_of_node);
  EXPECT_EQ(location{}.key(), 1U);
}

}  // namespace
}  // namespace acre::amr
