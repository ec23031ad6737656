// SPDX-License-Identifier: BSD-3-Clause
// The first k elements, compared with a sort of all.
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/ranges_of_all_kinds_test.hpp>
#include <acre/algorithm/top_k.hpp>
#include <acre/array/array.hpp>
#include <acre/base/error.hpp>
#include <acre/container/bag/bag.hpp>
#include <acre/container/hash/counting_map.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/view/transformed.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

std::vector<int> first_of(std::vector<int> values, std::size_t k, auto before) {
  std::ranges::sort(values, before);
  values.resize(std::min(k, values.size()));
  return values;
}

TEST(TopKSmoke, IsTheBeginningOfASortOnAllMembers) {
  acre::testing::with_ranges_of_all_kinds([](auto& range) {
    const std::vector<int> values = acre::testing::squares(std::ranges::size(range));
    acre::for_each_with_index(range, acre::testing::set_squares);
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{3}, values.size(),
                                values.size() + 5, std::numeric_limits<std::size_t>::max()}) {
      EXPECT_EQ(acre::top_k_on_all(range, k), first_of(values, k, std::greater<>()));
      EXPECT_EQ(acre::top_k_on_all(range, k, std::less<>()), first_of(values, k, std::less<>()));
    }
  });
}

TEST(TopK, TakesUnequalDistributions) {
  std::mt19937 random(6);
  acre::array<int> a(acre::world(), 4000);
  for (const int kind : {0, 1, 2, 3}) {
    std::vector<int> values(a.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto number = static_cast<int>(random() % 100'000);
      values[i] = kind == 0   ? number
                  : kind == 1 ? static_cast<int>(i)  // the largest are at one member
                  : kind == 2 ? number % 3           // many ties
                              : -static_cast<int>(i);
    }
    acre::generate_with_index(a, [&](std::size_t i) { return values[i]; });
    for (const std::size_t k : {1U, 10U, 700U, 3999U}) {
      EXPECT_EQ(acre::top_k_on_all(a, k), first_of(values, k, std::greater<>())) << kind;
    }
    const auto view = a | acre::views::transform([](int x) { return -x; });
    std::vector<int> negative;
    for (const int x : values) negative.push_back(-x);
    EXPECT_EQ(acre::top_k_on_all(view, 20), first_of(negative, 20, std::greater<>()));
  }
}

TEST(TopK, TakesMapsAndBags) {
  acre::counting_map<std::string> counts(acre::world(), 1000);
  for (std::uint64_t i = 0; i < 60; ++i) counts.add("word" + std::to_string(i), i + 1);
  acre::barrier();
  const auto by_count = [](const auto& a, const auto& b) { return a.second > b.second; };
  const auto frequent = acre::top_k_on_all(counts, 3, by_count);
  ASSERT_EQ(frequent.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    const auto& [word, count] = frequent[static_cast<std::size_t>(i)];
    EXPECT_EQ(word, "word" + std::to_string(59 - i));
    EXPECT_EQ(count, (60U - static_cast<unsigned>(i)) * acre::size());
  }
  acre::bag<std::string> texts(acre::world());
  if (acre::rank() == 0) texts.insert_range(std::vector<std::string>{"b", "d", "a", "c"});
  EXPECT_EQ(acre::top_k_on_all(texts, 2), (std::vector<std::string>{"d", "c"}));
  EXPECT_EQ(acre::top_k_on_all(texts, 9, std::less<>()).size(), 4U);
  acre::barrier();
}

TEST(TopK, FailuresOfTheOrderAreErrorsOnAll) {
  acre::array<int> a(acre::world(), 100 * acre::size());
  acre::generate_with_index(a, [](std::size_t i) { return static_cast<int>(i); });
  const acre::rank_t last = acre::size() - 1;
  const auto before = [&](int x, int y) {
    if (acre::rank() == last) throw std::runtime_error("no");
    return x > y;
  };
  if (acre::rank() == last) {
    EXPECT_THROW(static_cast<void>(acre::top_k_on_all(a, 5, before)), std::runtime_error);
  } else {
    EXPECT_THROW(static_cast<void>(acre::top_k_on_all(a, 5, before)), acre::error);
  }
  EXPECT_EQ(acre::top_k_on_all(a, 1).front(), static_cast<int>(a.size()) - 1);
}

}  // namespace
