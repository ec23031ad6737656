// SPDX-License-Identifier: BSD-3-Clause
// Bags compared with multisets of all members' elements.
#include <acre/base/error.hpp>
#include <acre/container/bag/bag.hpp>
#include <acre/container/cost_test.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using acre::bag;

template <class T>
std::vector<T> all_of(const bag<T>& elements) {
  std::vector<T> all;
  const auto own = elements.local();
  for (const auto& part : elements.members().allgather(std::vector<T>(own.begin(), own.end()))) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::ranges::sort(all);
  return all;
}

void expect_balanced(const auto& elements) {
  const auto counts = elements.members().allgather(elements.local().size());
  const auto [least, most] = std::ranges::minmax(counts);
  EXPECT_LE(most - least, 1);
}

TEST(BagSmoke, RebalancesStringsWithoutLossOrCopies) {
  bag<std::string> texts(acre::world());
  std::mt19937_64 random(5 + acre::rank());
  for (int round = 0; round < 6; ++round) {
    // Some rounds fill one member only.
    const bool fills =
        round % 2 == 0 || acre::rank() == static_cast<unsigned>(round) % acre::size();
    const std::uint64_t count = fills ? random() % 200 : 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      texts.insert(std::to_string(acre::rank()) + "." + std::to_string(round) + "." +
                   std::string(random() % 50, 'x') + std::to_string(i));
    }
    const auto before = all_of(texts);
    texts.rebalance();
    EXPECT_EQ(all_of(texts), before);
    EXPECT_EQ(texts.size(), before.size());
    expect_balanced(texts);
    texts.erase_if([](const std::string& text) { return text.size() % 3 == 0; });
  }
}

TEST(Bag, RebalanceMovesNothingIfBalanced) {
  bag<int> numbers(acre::world());
  numbers.insert_range(std::vector<int>(10 + acre::rank() % 2, static_cast<int>(acre::rank())));
  const auto before = std::vector<int>(numbers.local().begin(), numbers.local().end());
  numbers.rebalance();
  EXPECT_TRUE(std::ranges::equal(numbers.local(), before));
}

TEST(Bag, ForEachVisitsAllElementsOnce) {
  bag<int> numbers(acre::world());
  for (int i = 0; i < 10; ++i) numbers.insert(i);
  numbers.for_each([](int& each) { each *= 2; });
  int sum = 0;
  std::as_const(numbers).for_each([&](const int& each) { sum += each; });
  EXPECT_EQ(sum, 90);
  // An exception leaves after the barrier.
  const auto fail = [](int&) {
    if (acre::rank() == 0) throw std::runtime_error("no");
  };
  if (acre::rank() == 0) {
    EXPECT_THROW(numbers.for_each(fail), std::runtime_error);
  } else {
    numbers.for_each(fail);
  }
  EXPECT_EQ(numbers.size(), 10U * acre::size());
}

TEST(Bag, TakesMergesSwapsAndClears) {
  bag<std::pair<int, std::string>> a(acre::world());
  bag<std::pair<int, std::string>> b(acre::world());
  a.insert({1, "one"});
  b.insert({2, "two"});
  b.insert({3, "three"});
  a.merge(b);
  EXPECT_TRUE(b.local().empty());
  EXPECT_EQ(a.local().size(), 3U);
  swap(a, b);
  int sum = 0;
  while (const auto each = b.take()) sum += each->first;
  EXPECT_EQ(sum, 6);
  EXPECT_FALSE(a.take().has_value());
  a.insert({4, "four"});
  a.clear();
  EXPECT_EQ(a.size(), 0U);
  bag<int> none;
  EXPECT_FALSE(none);
  EXPECT_THROW(static_cast<void>(none.size()), acre::error);
}

TEST(Bag, OwnOperationsDoNotCommunicate) {
  bag<std::string> texts(acre::world());
  const auto use = [&] {
    for (int i = 0; i < 100; ++i) texts.insert(std::to_string(i));
    static_cast<void>(texts.take());
    texts.erase_if([](const std::string& text) { return text == "50"; });
  };
  EXPECT_EQ(acre::testing::cost(use), acre::testing::costs{});
  EXPECT_EQ(texts.local().size(), 98U);
  texts.rebalance();
  EXPECT_EQ(texts.size(), 98U * acre::size());
}

struct unsendable {
  int value = 0;
  friend auto acre_fields(unsendable& x) {
    if (x.value == 13) throw std::runtime_error("cannot be sent");
    return std::tie(x.value);
  }
};

TEST(Bag, RebalanceFailsOnAllAndKeepsAllElements) {
  if (acre::size() == 1) return;
  bag<unsendable> elements(acre::world());
  if (acre::rank() == 0) elements.insert_range(std::vector<unsendable>(30 * acre::size()));
  if (acre::rank() == 0) elements.local().back().value = 13;
  EXPECT_ANY_THROW(elements.rebalance());
  EXPECT_EQ(elements.local().size(), acre::rank() == 0 ? 30U * acre::size() : 0U);
  if (acre::rank() == 0) elements.local().back().value = 12;
  elements.rebalance();
  EXPECT_EQ(elements.local().size(), 30U);
}

TEST(Bag, RefusesFunctionsThatChangeIt) {
  bag<int> numbers(acre::world());
  for (int i = 0; i < 100; ++i) numbers.insert(i);
  EXPECT_THROW(numbers.for_each([&](int each) { numbers.insert(each); }), acre::error);
  EXPECT_EQ(numbers.local().size(), 101U);
  EXPECT_THROW(numbers.for_each([&](int) { numbers.clear(); }), acre::error);
}

TEST(Bag, OfATeamIsOfItsMembers) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  bag<std::uint64_t> numbers(half);
  for (std::uint64_t i = 0; i < 7 * half.rank(); ++i) numbers.insert(i);
  const auto before = all_of(numbers);
  numbers.rebalance();
  EXPECT_EQ(all_of(numbers), before);
  expect_balanced(numbers);
}

}  // namespace
