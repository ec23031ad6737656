// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/sets/detail/forest.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace {

using acre::container::element_pair;
using acre::container::forest;
using acre::container::is_lower;
using acre::container::meeting;
using acre::container::path;
using acre::runtime::direct_costs;

/// Three parts in private memory, of which the last one may be on another node.
template <class Word = std::uint32_t>
struct parts {
  /// @param elements  of which the first `3 * each` are used
  parts(std::uint64_t elements, std::uint64_t each, bool has_last)
      : words(3 * each), here(elements, each, {part(0), part(each), last(each, has_last)}) {
    std::iota(words.begin(), words.end(), Word{0});
  }
  explicit parts(std::uint64_t elements, bool has_last = true)
      : parts(elements, (elements + 2) / 3, has_last) {}

  std::uint64_t root(std::uint64_t element) const {
    while (words[element] != element) element = words[element];
    return element;
  }

  std::vector<Word> words;
  forest here;

 private:
  std::byte* part(std::uint64_t first) { return reinterpret_cast<std::byte*>(&words[first]); }
  std::byte* last(std::uint64_t each, bool exists) { return exists ? part(2 * each) : nullptr; }
};

template <class Word>
bool unite(const parts<Word>& all, std::uint64_t a, std::uint64_t b) {
  direct_costs spent;
  element_pair both{a, b};
  return all.here.unite(both, spent) == meeting::linked;
}

TEST(Forest, IsOrderedByPriorityWithoutTies) {
  for (std::uint64_t a = 0; a < 50; ++a) {
    for (std::uint64_t b = 0; b < 50; ++b) {
      EXPECT_EQ(is_lower(a, b) + is_lower(b, a), a == b ? 0 : 1);
    }
  }
}

TEST(Forest, HasTheSameRootsForAnyOrderOfUnions) {
  constexpr std::uint64_t elements = 1000;
  std::mt19937_64 random(1);
  std::vector<element_pair> edges;
  for (int i = 0; i < 800; ++i) edges.push_back({random() % elements, random() % elements});
  const parts<> first(elements);
  const parts<> second(elements);
  std::uint64_t links = 0;
  for (const auto& [a, b] : edges) links += unite(first, a, b) ? 1 : 0;
  std::ranges::shuffle(edges, random);
  for (const auto& [a, b] : edges) links -= unite(second, b, a) ? 1 : 0;
  EXPECT_EQ(links, 0U);
  for (std::uint64_t i = 0; i < elements; ++i) {
    EXPECT_EQ(first.root(i), second.root(i));
    EXPECT_FALSE(is_lower(first.root(i), i)) << "the root has the highest priority";
  }
}

TEST(Forest, HasWordsOfEightBytesForMoreThan2To32Elements) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  static_assert(forest::word_bytes(most) == 4);
  static_assert(forest::word_bytes(most + 1) == 8);
  const parts<std::uint64_t> all(most + 1, 100, true);
  std::uint64_t links = 0;
  for (std::uint64_t i = 0; i + 3 < 300; ++i) links += unite(all, i, i + 3) ? 1 : 0;
  EXPECT_EQ(links, 297U);
  for (std::uint64_t i = 0; i < 300; ++i) EXPECT_EQ(all.root(i), all.root(i % 3));
  EXPECT_EQ(all.here.count_roots(0, 100) + all.here.count_roots(100, 200), 3U);
  all.here.make_singletons(100, 100);
  EXPECT_EQ(all.here.count_roots(100, 100), 100U);
}

TEST(Forest, StaysLowOnAPath) {
  constexpr std::uint64_t elements = 30'000;
  for (const bool is_upward : {true, false}) {
    const parts<> all(elements);
    for (std::uint64_t i = 0; i + 1 < elements; ++i) {
      const std::uint64_t a = is_upward ? i : elements - 2 - i;
      EXPECT_TRUE(unite(all, a, a + 1));
    }
    unsigned highest = 0;
    for (std::uint64_t i = 0; i < elements; ++i) {
      unsigned height = 0;
      for (std::uint64_t at = i; all.words[at] != at; at = all.words[at]) ++height;
      highest = std::max(highest, height);
    }
    EXPECT_LE(highest, 60U);
  }
}

TEST(Forest, HalvesPathsUnlessTheyAreKept) {
  // A path 0 → 1 → … → 4 by hand, of rising priorities.
  std::vector<std::uint32_t> rising(5);
  std::iota(rising.begin(), rising.end(), 0);
  std::ranges::sort(rising, is_lower);
  parts<> all(5);
  for (std::size_t i = 0; i < 4; ++i) all.words[rising[i]] = rising[i + 1];
  const std::vector<std::uint32_t> before = all.words;
  direct_costs spent;
  std::uint64_t element = rising[0];
  EXPECT_TRUE(all.here.find<path::kept>(element, spent));
  EXPECT_EQ(element, rising[4]);
  EXPECT_EQ(all.words, before);
  EXPECT_EQ(spent.reads, 5U);
  EXPECT_EQ(spent.atomics, 0U);
  element = rising[0];
  EXPECT_TRUE(all.here.find<path::halved>(element, spent));
  EXPECT_EQ(element, rising[4]);
  EXPECT_EQ(spent.atomics, 2U);
  EXPECT_EQ(all.words[rising[0]], rising[2]);
  EXPECT_EQ(all.words[rising[1]], rising[2]);
  EXPECT_EQ(all.words[rising[2]], rising[4]);
}

TEST(Forest, StopsWhereThePathLeavesTheMappedParts) {
  parts<> all(9, false);
  std::uint64_t low = 0;
  while (is_lower(8, low)) ++low;
  direct_costs spent;
  element_pair both{low, 8};
  EXPECT_EQ(all.here.unite(both, spent), meeting::linked) << "a root here needs no other word";
  EXPECT_EQ(all.words[low], 8U);
  std::uint64_t element = low;
  EXPECT_FALSE(all.here.find<path::halved>(element, spent));
  EXPECT_EQ(element, 8U);
  both = {7, 8};
  EXPECT_EQ(all.here.unite(both, spent), meeting::elsewhere);
  EXPECT_EQ(both.low, is_lower(7, 8) ? 7U : 8U);
  EXPECT_EQ(both.low + both.high, 15U);
}

TEST(Forest, LosesNoUnionOfConcurrentThreads) {
  constexpr std::uint64_t elements = 3000;
  constexpr unsigned number = 4;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const parts<> all(elements);
    const parts<> serial(elements);
    std::vector<std::vector<element_pair>> edges(number);
    std::mt19937_64 random(seed);
    for (auto& mine : edges) {
      for (int i = 0; i < 1500; ++i) mine.push_back({random() % elements, random() % elements});
    }
    std::vector<std::uint64_t> links(number);
    std::vector<std::thread> threads;
    for (unsigned each = 0; each < number; ++each) {
      threads.emplace_back([&, each] {
        for (const auto& [a, b] : edges[each]) {
          links[each] += unite(all, a, b) ? 1 : 0;
          direct_costs spent;
          element_pair both{a, b};
          EXPECT_EQ(all.here.compare<path::halved>(both, spent), meeting::together);
        }
      });
    }
    for (std::thread& each : threads) each.join();
    std::uint64_t expected = 0;
    for (const auto& mine : edges) {
      for (const auto& [a, b] : mine) expected += unite(serial, a, b) ? 1 : 0;
    }
    EXPECT_EQ(std::accumulate(links.begin(), links.end(), std::uint64_t{0}), expected);
    for (std::uint64_t i = 0; i < elements; ++i) ASSERT_EQ(all.root(i), serial.root(i)) << seed;
  }
}

}  // namespace
