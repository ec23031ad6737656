// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/blocked.hpp>

#include <acre/layout/laws.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

using acre::layout::blocked;
using acre::layout::broken_law;
using acre::layout::place;

static_assert(broken_law(blocked(10, 3)).empty());
static_assert(blocked(10, 3).place_of(5) == place{.member = 1, .offset = 1});

TEST(Blocked, KeepsTheLawsOfPatterns) {
  for (std::size_t size = 0; size <= 30; ++size) {
    for (acre::layout::member_t members = 1; members <= 12; ++members) {
      EXPECT_EQ(broken_law(blocked(size, members)), "") << size << " on " << members;
    }
  }
}

TEST(Blocked, GivesEachMemberTheNextElementsInOrder) {
  for (std::size_t size = 0; size <= 30; ++size) {
    for (acre::layout::member_t members = 1; members <= 12; ++members) {
      const blocked pattern(size, members);
      std::size_t index = 0;
      for (acre::layout::member_t member = 0; member < members; ++member) {
        for (std::size_t offset = 0; offset < pattern.local_size(member); ++offset) {
          EXPECT_EQ(pattern.index_of({.member = member, .offset = offset}), index++);
        }
      }
    }
  }
}

TEST(Blocked, FillsTheFirstMembers) {
  const auto sizes = [](const blocked& pattern) {
    std::vector<std::size_t> all;
    for (acre::layout::member_t member = 0; member < pattern.members(); ++member) {
      all.push_back(pattern.local_size(member));
    }
    return all;
  };
  EXPECT_EQ(sizes(blocked(10, 3)), (std::vector<std::size_t>{4, 4, 2}));
  EXPECT_EQ(sizes(blocked(9, 3)), (std::vector<std::size_t>{3, 3, 3}));
  EXPECT_EQ(sizes(blocked(5, 4)), (std::vector<std::size_t>{2, 2, 1, 0}));
  EXPECT_EQ(sizes(blocked(2, 4)), (std::vector<std::size_t>{1, 1, 0, 0}));
  EXPECT_EQ(blocked(10, 3).local_capacity(), 4U);
}

TEST(Blocked, MayBeEmpty) {
  for (const blocked& empty : {blocked(), blocked(0, 5), blocked(7, 0)}) {
    EXPECT_EQ(empty.place_of(0).member, 0U);
    EXPECT_LE(empty.local_capacity(), 1U);
  }
  EXPECT_EQ(blocked(0, 5).local_capacity(), 0U);
  EXPECT_EQ(blocked(0, 5).local_size(4), 0U);
}

TEST(Blocked, KnowsTheRunOfABlock) {
  EXPECT_EQ(blocked(10, 3).run_length(0), 4U);
  EXPECT_EQ(blocked(10, 3).run_length(5), 3U);
  EXPECT_EQ(blocked(10, 3).run_length(8), 2U);
}

}  // namespace
