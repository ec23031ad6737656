// SPDX-License-Identifier: BSD-3-Clause
// Sorts and searches of strings compared with the standard library's.
#include <acre/algorithm/elements.hpp>
#include <acre/algorithm/search_text.hpp>
#include <acre/algorithm/sort_text.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using acre::text_array;

std::vector<std::string> all_of(const acre::team& members, const std::vector<std::string>& own) {
  std::vector<std::string> all;
  for (const auto& part : members.allgather(own)) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Kinds of strings that differ early, late, seldom, or by their lengths.
std::vector<std::string> random_texts(std::mt19937& random, std::size_t number, unsigned kind) {
  std::vector<std::string> texts(number);
  for (std::string& text : texts) {
    switch (kind) {
      case 0:
        text = "the same long beginning " + std::to_string(random() % 100'000);
        break;
      case 1:
        text = std::string(random() % 4, '\0') + std::string(random() % 12, '\xff');
        break;
      case 2:
        text = "equal";
        break;
      default:
        text.resize(random() % 20);
        for (char& each : text) each = static_cast<char>(random());
    }
  }
  return texts;
}

std::size_t most_of(const text_array& texts) {
  return texts.members().allreduce(texts.local_size(), acre::op::max);
}

void expect_texts(const text_array& texts, const std::vector<std::string>& wanted) {
  ASSERT_EQ(texts.size(), wanted.size());
  for (std::size_t i = 0; i < texts.local_size(); ++i) {
    ASSERT_EQ(texts.local()[i], wanted[texts.first_local() + i]);
  }
  texts.members().barrier();
}

TEST(SortTextSmoke, OrdersStringsOfAllMembers) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  const std::size_t members = half.size();
  std::mt19937 random(3 + acre::rank());
  for (unsigned round = 0; round < 16; ++round) {
    const bool is_on_one = round / 4 == 1;
    const std::size_t most = round / 4 == 2 ? 3 : 300;
    const bool has_some = !is_on_one || half.rank() == round % members;
    const auto own = random_texts(random, has_some ? random() % (most + 1) : 0, round % 4);
    auto wanted = all_of(half, own);
    std::ranges::sort(wanted);
    text_array texts(half, own);
    acre::sort(texts);
    expect_texts(texts, wanted);
    EXPECT_LE(most_of(texts), wanted.size() / members + 2 * wanted.size() / 16 + members + 1);
    const auto distinct = std::ranges::unique(wanted);
    wanted.erase(distinct.begin(), distinct.end());
    acre::unique(texts);
    expect_texts(texts, wanted);
  }
}

TEST(SortText, OrdersNoStringsAndVeryLongOnes) {
  text_array none(acre::world());
  acre::sort(none);
  acre::unique(none);
  EXPECT_EQ(none.size(), 0U);
  const std::string a(1 << 20, 'a');
  std::vector<std::string> own{a + std::to_string(acre::size() - acre::rank()), "", a};
  auto wanted = all_of(acre::world(), own);
  std::ranges::sort(wanted);
  text_array texts(acre::world(), own);
  acre::sort(texts);
  expect_texts(texts, wanted);
}

TEST(SortText, UniqueKeepsTheFirstOfNeighboursAcrossMembers) {
  const std::size_t size = acre::size();
  text_array texts(acre::world(), std::vector<std::string>(acre::rank() % 2 == 0 ? 3 : 0, "same"));
  acre::unique(texts);
  EXPECT_EQ(texts.size(), 1U);
  text_array ends(acre::world(), {std::to_string(acre::rank()), std::to_string(acre::rank() + 1)});
  acre::unique(ends);
  EXPECT_EQ(ends.size(), size + 1);
  text_array empty(acre::world(), {"", ""});
  acre::unique(empty);
  EXPECT_EQ(empty.size(), 1U);
}

TEST(SearchText, FindsManyKeysAtOnce) {
  std::mt19937 random(11 + acre::rank());
  const auto own = random_texts(random, 40 * (acre::rank() % 2), 1);
  auto sorted = all_of(acre::world(), own);
  std::ranges::sort(sorted);
  text_array texts(acre::world(), own);
  acre::sort(texts);
  const auto keys = random_texts(random, acre::rank() * 7, 1);
  const auto lower = acre::lower_bound(texts, keys);
  const auto upper = acre::upper_bound(texts, keys);
  ASSERT_EQ(lower.size(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto [first, last] = std::ranges::equal_range(sorted, keys[i]);
    EXPECT_EQ(lower[i], static_cast<std::size_t>(first - sorted.begin()));
    EXPECT_EQ(upper[i], static_cast<std::size_t>(last - sorted.begin()));
  }
  const text_array none(acre::world());
  EXPECT_EQ(acre::lower_bound(none, keys), std::vector<std::size_t>(keys.size()));
}

TEST(SearchText, FindsPartsOfStrings) {
  std::mt19937 random(13 + acre::rank());
  const auto own = random_texts(random, 30, 0);
  const auto all = all_of(acre::world(), own);
  const text_array texts(acre::world(), own);
  for (const std::string part : {"7", "12", " 1", "", "missing"}) {
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].find(part) != std::string::npos) wanted.push_back(i);
    }
    const auto found = acre::indices_containing(texts, part);
    EXPECT_TRUE(std::ranges::equal(found, wanted));
    for (const std::size_t each : found.local()) EXPECT_TRUE(texts.owner(each).is_this_rank());
    acre::barrier();
  }
  const auto fails = [&](std::string_view) -> bool {
    if (acre::rank() == 0) throw std::runtime_error("no");
    return true;
  };
  EXPECT_ANY_THROW(static_cast<void>(acre::indices_where(texts, fails)));
}

TEST(SearchText, LoopsAndReducesAsContainers) {
  const text_array texts(acre::world(), {"one", "three", ""});
  std::size_t bytes = 0;
  acre::for_each(texts, [&](std::string_view text) { bytes += text.size(); });
  EXPECT_EQ(bytes, 8U);
  EXPECT_EQ(acre::count_on_all(texts, "three"), acre::size());
  EXPECT_EQ(acre::transform_reduce_on_all(texts, std::size_t{0}, acre::op::max,
                                          [](std::string_view text) { return text.size(); }),
            5U);
  EXPECT_TRUE(acre::any_of_on_all(texts, [](std::string_view text) { return text.empty(); }));
}

}  // namespace
