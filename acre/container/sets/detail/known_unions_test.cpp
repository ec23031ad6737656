// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/sets/detail/known_unions.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace {

using acre::container::element_numbers;
using acre::container::element_pair;
using acre::container::is_lower;
using acre::container::known_unions;

TEST(ElementNumbers, CountFirstOccurrences) {
  element_numbers numbers;
  std::map<std::uint64_t, std::uint32_t> expected;
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t element = random() % 2000;
    const auto next = static_cast<std::uint32_t>(expected.size());
    EXPECT_EQ(numbers.add(element), expected.emplace(element, next).first->second);
  }
  EXPECT_EQ(numbers.size(), expected.size());
  for (const auto& [element, number] : expected) {
    EXPECT_EQ(numbers[element], number);
    EXPECT_EQ(numbers.element(number), element);
  }
  numbers.clear();
  EXPECT_EQ(numbers.add(7), 0U);
}

TEST(KnownUnions, OmitsThoseThatFollow) {
  known_unions known;
  EXPECT_TRUE(known.add({1, 2}));
  EXPECT_TRUE(known.add({3, 2}));
  EXPECT_FALSE(known.add({3, 1}));
  EXPECT_FALSE(known.add({5, 5}));
  EXPECT_TRUE(known.add({5, 6}));
  EXPECT_EQ(known.elements(), 5U);
}

TEST(KnownUnions, SendsEachElementOnceToItsHighestAncestor) {
  known_unions known;
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_TRUE(known.add({i, i + 1}));
  ASSERT_EQ(known.unsent(), 100U);
  std::vector<element_pair> sent;
  known.take_unsent(sent);
  EXPECT_EQ(known.unsent(), 0U);
  ASSERT_EQ(sent.size(), 100U);
  std::set<std::uint64_t> lows;
  for (const auto& [low, high] : sent) {
    EXPECT_TRUE(is_lower(low, high));
    EXPECT_EQ(high, sent.front().high);
    EXPECT_TRUE(lows.insert(low).second);
  }
  EXPECT_FALSE(known.add({3, 80})) << "sent ones stay known";
  EXPECT_TRUE(known.add({3, 1000}));
  known.take_unsent(sent);
  EXPECT_EQ(sent.size(), 1U);
  known.clear();
  EXPECT_TRUE(known.add({1, 2}));
}

}  // namespace
