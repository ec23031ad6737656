// SPDX-License-Identifier: BSD-3-Clause
// Compares a sorted map with std::map.
#pragma once

#include <acre/container/sorted/sorted_map.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace acre::testing {

/// In the order of the numbers.
template <class K, class V>
struct entry_maker {
  static K key(std::uint64_t number) { return static_cast<K>(number); }
  static V value(std::uint64_t number) { return static_cast<V>(number); }
};

template <class Make, class K, class V, class Compare>
void follow_sorted_model(sorted_map<K, V, Compare>& map, std::map<K, V>& model, std::uint64_t keys,
                         std::uint64_t operations, std::mt19937_64& random) {
  for (std::uint64_t i = 0; i < operations; ++i) {
    const K key = Make::key(random() % keys * size() + rank());
    const V value = Make::value(random() % 1000);
    const auto before = model.find(key);
    const bool there = before != model.end();
    switch (random() % 7) {
      case 0:
      case 1:
        ASSERT_EQ(map.insert(key, value), !there);
        model.emplace(key, value);
        break;
      case 2:
        ASSERT_EQ(map.insert_or_assign(key, value), !there);
        model[key] = value;
        break;
      case 3:
        ASSERT_EQ(map.erase(key), model.erase(key) == 1);
        break;
      case 4:
        ASSERT_EQ(map.contains(key), there);
        break;
      case 5: {
        const auto mine = model.lower_bound(key);
        const auto found = map.lower_bound(key);
        if (mine == model.end()) break;
        ASSERT_TRUE(found);
        ASSERT_FALSE(found->first < key);
        ASSERT_FALSE(mine->first < found->first);
        if (found->first == mine->first) {
          ASSERT_EQ(found->second, mine->second);
        }
        break;
      }
      default:
        ASSERT_EQ(map.find(key), there ? std::optional(before->second) : std::nullopt);
    }
  }
}

template <class K, class V>
std::map<K, V> merged_model(const std::map<K, V>& mine) {
  std::map<K, V> all;
  for (const auto& each :
       world().allgather(std::vector<std::pair<K, V>>(mine.begin(), mine.end()))) {
    all.insert(each.begin(), each.end());
  }
  return all;
}

template <class K, class V, class Compare>
void expect_model(const sorted_map<K, V, Compare>& map, const std::map<K, V>& all,
                  std::mt19937_64& random) {
  using entries = std::vector<std::pair<K, V>>;
  const entries expected(all.begin(), all.end());
  ASSERT_EQ(map.size(), expected.size());
  entries seen;
  for (const auto& each : map) seen.push_back(each);
  ASSERT_EQ(seen, expected);
  map.for_each_local([&](const K& key, const V&) { EXPECT_TRUE(map.owner(key).is_this_rank()); });
  if (expected.empty()) return;
  for (int i = 0; i < 4; ++i) {
    std::size_t first = random() % expected.size();
    std::size_t last = random() % expected.size();
    if (i != 0 && last < first) std::swap(first, last);
    seen.clear();
    map.for_each_in(expected[first].first, expected[last].first,
                    [&](const K& key, const V& value) { seen.emplace_back(key, value); });
    const auto from = expected.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = expected.begin() + static_cast<std::ptrdiff_t>(std::max(first, last));
    ASSERT_EQ(seen, entries(from, to));
    const auto after = map.upper_bound(expected[first].first);
    ASSERT_EQ(after,
              first + 1 < expected.size() ? std::optional(expected[first + 1]) : std::nullopt);
  }
}

}  // namespace acre::testing
