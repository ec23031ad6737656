// SPDX-License-Identifier: BSD-3-Clause
// Strings compared with a vector of all members' strings.
#include <acre/array/text_array.hpp>
#include <acre/array/text_checkpoint.hpp>
#include <acre/base/error.hpp>
#include <acre/matrix_files/files_test.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using acre::text_array;

static_assert(std::ranges::random_access_range<text_array::local_range>);
static_assert(std::ranges::borrowed_range<text_array::local_range>);

std::vector<std::string> all_of(const acre::team& members, const std::vector<std::string>& own) {
  std::vector<std::string> all;
  for (const auto& part : members.allgather(own)) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Empty, equal and binary strings among others; few members have most.
std::vector<std::string> random_texts(std::mt19937& random, std::size_t most) {
  std::vector<std::string> texts(random() % (most + 1));
  for (std::string& text : texts) {
    text.resize(random() % 4 == 0 ? random() % 3 : random() % 40);
    for (char& each : text) each = static_cast<char>(random());
  }
  return texts;
}

void expect_texts(const text_array& texts, const std::vector<std::string>& wanted) {
  ASSERT_EQ(texts.size(), wanted.size());
  std::size_t bytes = 0;
  std::vector<std::size_t> backwards;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(texts[i], wanted[i]) << i;
    bytes += wanted[i].size();
    backwards.insert(backwards.begin(), i);
  }
  EXPECT_EQ(texts.byte_count(), bytes);
  EXPECT_TRUE(std::ranges::equal(texts.gather(backwards), wanted | std::views::reverse));
  for (std::size_t i = 0; i < texts.local_size(); ++i) {
    EXPECT_EQ(texts.local()[i], wanted[texts.first_local() + i]);
    EXPECT_TRUE(texts.owner(texts.first_local() + i).is_this_rank());
  }
  texts.members().barrier();
}

TEST(TextArraySmoke, StoresTheStringsOfEachMember) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  std::mt19937 random(7 + acre::rank());
  for (const std::size_t most : {0U, 1U, 20U}) {
    const auto own = random_texts(random, most);
    const auto wanted = all_of(half, own);
    text_array texts(half, own);
    expect_texts(texts, wanted);
    EXPECT_TRUE(std::ranges::equal(texts.local(), own));
    texts.rebalance();
    expect_texts(texts, wanted);
    const auto counts = half.allgather(texts.local_size());
    EXPECT_LE(std::ranges::max(counts) - std::ranges::min(counts), 1U);
    texts.clear();
    expect_texts(texts, {});
  }
}

TEST(TextArray, RebalancesStringsOfOneMember) {
  const bool is_last = acre::rank() + 1 == acre::size();
  std::vector<std::string> own(is_last ? 101 : 0);
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = std::string(i % 7, 'a') + std::to_string(i);
  if (is_last) own[50] = std::string(3 << 20, 'x');
  const std::vector<std::string> wanted = acre::world().broadcast(own, acre::size() - 1);
  text_array texts(acre::world(), own);
  texts.rebalance();
  EXPECT_NEAR(static_cast<double>(texts.local_size()), 101.0 / acre::size(), 1);
  expect_texts(texts, wanted);
}

TEST(TextArray, FindsStringsInOrder) {
  std::vector<std::string> own;
  for (unsigned i = 0; i < 10; ++i) own.push_back(std::to_string(1000 + 10 * acre::rank() + i / 2));
  const auto wanted = all_of(acre::world(), own);
  const text_array texts(acre::world(), own);
  for (const std::string& key : {std::string(), wanted.front(), wanted[wanted.size() / 2],
                                 wanted.back(), std::string("1001x"), std::string("2")}) {
    const auto [first, last] = std::ranges::equal_range(wanted, key);
    EXPECT_EQ(texts.equal_range(key).first, static_cast<std::size_t>(first - wanted.begin()));
    EXPECT_EQ(texts.equal_range(key).second, static_cast<std::size_t>(last - wanted.begin()));
  }
  acre::barrier();
}

TEST(TextArray, CostsTwoReadsForAStringOfAnother) {
  const text_array texts(acre::world(), {"", "some text", "more"});
  const std::size_t i = (texts.first_local() + 4) % texts.size();
  const std::size_t is_far = texts.owner(i).is_this_rank() ? 0 : 1;
  const auto before = acre::counters();
  EXPECT_EQ(texts[i], "some text");
  EXPECT_EQ((acre::counters() - before).reads, 2 * is_far);
  EXPECT_EQ(texts[i - 1], "");
  EXPECT_EQ((acre::counters() - before).reads, 3 * is_far);
  EXPECT_EQ(texts.gather(std::vector{i + 1, i, i}).front(), "more");
  EXPECT_EQ((acre::counters() - before).reads, 9 * is_far);
  acre::barrier();
}

TEST(TextArray, TakesRangesOfAllKindsOfStrings) {
  const std::vector<const char*> words{"a", "b"};
  const std::vector<std::string_view> views{"c"};
  text_array a(acre::world(), words);
  text_array b(acre::world(), views);
  EXPECT_EQ(a.local()[1], "b");
  swap(a, b);
  EXPECT_EQ(a.local()[0], "c");
  a = std::move(b);
  EXPECT_EQ(a.local()[0], "a");
  EXPECT_FALSE(b);
  EXPECT_TRUE(b.local().empty());
  EXPECT_EQ(b.size(), 0U);
  EXPECT_THROW(static_cast<void>(b.members()), acre::error);
  try {
    static_cast<void>(a[a.size()]);
    FAIL() << "the string does not exist";
  } catch (const acre::error& said) {
    EXPECT_EQ(said.advice(), "strings are numbered 0 to " + std::to_string(a.size() - 1));
  }
  acre::barrier();
}

TEST(TextArray, RestoresACheckpointInOrder) {
  const acre::files_test::folder here;
  const std::string path = here / "text";
  std::mt19937 random(19 + acre::rank());
  const auto own = random_texts(random, 300);
  const auto wanted = all_of(acre::world(), own);
  const text_array texts(acre::world(), own);
  acre::checkpoint(texts, path);
  text_array restored(acre::world(), {"old"});
  acre::restore(restored, path);
  expect_texts(restored, wanted);
  EXPECT_THROW(acre::restore(restored, path + " that is missing"), acre::error);
  expect_texts(restored, wanted);
}

TEST(TextArray, LeavesNoMemoryAllocated) {
  const auto before = acre::runtime::segment_free().private_part;
  {
    text_array texts(acre::world(), std::vector<std::string>(acre::rank() * 10, "text"));
    texts.rebalance();
    texts.clear();
  }
  EXPECT_EQ(acre::runtime::segment_free().private_part, before);
}

}  // namespace
