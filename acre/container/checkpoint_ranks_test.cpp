// SPDX-License-Identifier: BSD-3-Clause
// Restored by larger and smaller teams.
#include <acre/container/bag/bag_checkpoint.hpp>
#include <acre/container/hash/hash_checkpoint.hpp>
#include <acre/container/hash/hash_set.hpp>
#include <acre/container/priority/priority_checkpoint.hpp>
#include <acre/container/sets/sets_checkpoint.hpp>
#include <acre/container/sorted/sorted_checkpoint.hpp>
#include <acre/matrix_files/files_test.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::files_test::error_of;
using acre::files_test::expect_error;
using acre::files_test::folder;

/// Writes, then reads on a team of another size; both ways.
template <class Write, class Read>
void exchange(Write&& write, Read&& read) {
  const acre::team all = acre::world();
  const bool is_last = all.size() > 1 && all.rank() == all.size() - 1;
  const acre::team fewer = all.split(is_last ? -1 : 0);
  const folder here;
  if (fewer) write(fewer, here / "fewer");
  write(all, here / "all");
  acre::barrier();
  read(all, here / "fewer");
  if (fewer) read(fewer, here / "all");
}

template <class C>
void expect_even(const C& container, std::uint64_t local) {
  const acre::team& members = container.members();
  EXPECT_LE(members.allreduce(local, acre::op::max) - members.allreduce(local, acre::op::min), 1U);
}

std::string text(std::uint64_t number) {
  return std::to_string(number) + std::string(number % 7 * 300, 'x');
}
constexpr std::uint64_t texts = 600;

std::vector<std::string> sorted_texts() {
  std::vector<std::string> all;
  for (std::uint64_t i = 0; i < texts; ++i) all.push_back(text(i));
  std::ranges::sort(all);
  return all;
}
std::vector<std::string> sorted_union(const acre::team& members,
                                      const std::vector<std::string>& mine) {
  std::vector<std::string> all;
  for (const auto& each : members.allgather(mine)) all.insert(all.end(), each.begin(), each.end());
  std::ranges::sort(all);
  return all;
}

TEST(CheckpointOfItems, BringsBagsBackEvenly) {
  exchange(
      [](const acre::team& members, const std::string& path) {
        acre::bag<std::string> bag(members);
        if (members.rank() == 0) {
          for (std::uint64_t i = 0; i < texts; ++i) bag.insert(text(i));
        }
        acre::checkpoint(bag, path);
        EXPECT_EQ(bag.local().size(), members.rank() == 0 ? texts : 0U);
      },
      [](const acre::team& members, const std::string& path) {
        acre::bag<std::string> bag(members);
        bag.insert("before");
        acre::restore(bag, path);
        expect_even(bag, bag.local().size());
        const auto local = bag.local();
        EXPECT_EQ(sorted_union(members, {local.begin(), local.end()}), sorted_texts());
      });
}

TEST(CheckpointOfItems, BringsPriorityQueuesBackEvenly) {
  using queue = acre::priority_queue<std::string, std::greater<>>;
  exchange(
      [](const acre::team& members, const std::string& path) {
        queue values(members);
        if (members.rank() == members.size() - 1) {
          for (std::uint64_t i = 0; i < texts; ++i) values.push(text(i));
        }
        acre::checkpoint(values, path);
        EXPECT_EQ(values.size(), texts);
        EXPECT_EQ(values.least(), sorted_texts().back());
      },
      [](const acre::team& members, const std::string& path) {
        queue values(members);
        values.push("before");
        acre::restore(values, path);
        expect_even(values, values.local_size());
        std::vector<std::string> mine;
        while (std::optional<std::string> next = values.pop_local()) mine.push_back(*next);
        EXPECT_TRUE(std::ranges::is_sorted(mine, std::greater<>{}));
        EXPECT_EQ(sorted_union(members, mine), sorted_texts());
      });
}

TEST(CheckpointOfItems, BringsSortedMapsBackEvenly) {
  using map = acre::sorted_map<std::uint64_t, std::string>;
  exchange(
      [](const acre::team& members, const std::string& path) {
        map entries(members);
        for (std::uint64_t i = members.rank(); i < texts; i += members.size()) {
          static_cast<void>(entries.insert_async(i, text(i)));
        }
        acre::checkpoint(entries, path);
        EXPECT_EQ(entries.size(), texts);
      },
      [](const acre::team& members, const std::string& path) {
        map entries(members);
        entries.insert(2 * texts + members.rank(), "before");
        acre::restore(entries, path);
        expect_even(entries, entries.local_size());
        EXPECT_EQ(entries.size(), texts);
        std::uint64_t next = 0;
        for (const auto& [key, value] : entries) {
          EXPECT_EQ(key, next++);
          EXPECT_EQ(value, text(key));
        }
        EXPECT_EQ(next, texts);
        members.barrier();
        if (members.rank() == 0) {
          EXPECT_TRUE(entries.insert(texts, "after"));
        }
        members.barrier();
        EXPECT_EQ(entries.find(texts), "after");
      });
}

TEST(CheckpointOfItems, BringsUnionsOfNumbersBack) {
  static constexpr std::uint64_t elements = 10'000;
  static constexpr std::uint64_t distance = 2000;
  exchange(
      [](const acre::team& members, const std::string& path) {
        acre::union_find sets(members, elements);
        std::vector<acre::union_find::edge> edges;
        for (std::uint64_t i = members.rank(); i + distance < elements; i += members.size()) {
          edges.emplace_back(i, i + distance);
        }
        sets.unite_all(edges);
        acre::checkpoint(sets, path);
      },
      [](const acre::team& members, const std::string& path) {
        acre::union_find sets(members, elements);
        sets.unite(1, 2);
        acre::restore(sets, path);
        EXPECT_EQ(sets.set_count(), distance);
        for (std::uint64_t i = members.rank(); i < distance; i += 501) {
          EXPECT_TRUE(sets.are_together(i, elements - distance + i));
        }
        EXPECT_FALSE(sets.are_together(1, 2));
        acre::union_find other(members, elements + 1);
        expect_error(error_of([&] { acre::restore(other, path); }), ", 10000 elements, and not a");
        members.barrier();
      });
}

std::string name(std::uint64_t number) { return "key " + std::to_string(number); }
constexpr std::uint64_t names = 200;

TEST(CheckpointOfItems, BringsUnionsOfKeysBack) {
  using sets_of_names = acre::disjoint_set<std::string>;
  exchange(
      [](const acre::team& members, const std::string& path) {
        sets_of_names sets(members, names);
        std::vector<sets_of_names::edge> edges{{"alone", "alone"}};
        for (std::uint64_t i = members.rank(); i + 5 < names; i += members.size()) {
          edges.emplace_back(name(i), name(i + 5));
        }
        sets.unite_all(edges);
        acre::checkpoint(sets, path);
      },
      [](const acre::team& members, const std::string& path) {
        sets_of_names sets(members, 1);
        sets.unite("before", name(0));
        acre::restore(sets, path);
        EXPECT_EQ(sets.size(), names + 1);
        EXPECT_EQ(sets.set_count(), 6U);
        EXPECT_TRUE(sets.contains("alone"));
        EXPECT_FALSE(sets.contains("before"));
        EXPECT_TRUE(sets.are_together(name(3), name(names - 2)));
        EXPECT_FALSE(sets.are_together(name(3), name(names - 1)));
        members.barrier();
      });
}

TEST(CheckpointOfItems, StoresEmptyContainers) {
  const folder here;
  acre::bag<int> bag(acre::world());
  acre::sorted_map<int, int> map(acre::world());
  acre::priority_queue<int> queue(acre::world());
  acre::union_find numbers(acre::world(), 0);
  acre::disjoint_set<int> keys(acre::world(), 10);
  acre::checkpoint(bag, here / "bag");
  acre::checkpoint(map, here / "map");
  acre::checkpoint(queue, here / "queue");
  acre::checkpoint(numbers, here / "numbers");
  acre::checkpoint(keys, here / "keys");
  bag.insert(1);
  map.insert(1, 1);
  queue.push(1);
  keys.insert(1);
  acre::restore(bag, here / "bag");
  acre::restore(map, here / "map");
  acre::restore(queue, here / "queue");
  acre::restore(numbers, here / "numbers");
  acre::restore(keys, here / "keys");
  EXPECT_EQ(bag.size() + map.size() + queue.size() + keys.size(), 0U);
}

template <class C>
void expect_refusals(const folder& here, C& container) {
  acre::checkpoint(container, here / "good");
  acre::files_test::damage(here, acre::files_test::read_file(here / "good").size() - 12);
  expect_error(error_of([&] { acre::restore(container, here / "bad"); }),
               "bad is damaged: the checksum of piece");
  expect_error(error_of([&] { acre::restore(container, here / "set"); }), "and not a");
  expect_error(error_of([&] { acre::restore(container, here / "none"); }), "No such file");
  acre::barrier();
}

TEST(CheckpointOfItems, RefusesOtherFilesAndChangesNothing) {
  const folder here;
  const acre::hash_set<std::uint64_t> set(acre::world(), 10);
  acre::checkpoint(set, here / "set");
  acre::bag<std::string> bag(acre::world());
  bag.insert("an element");
  expect_refusals(here, bag);
  EXPECT_EQ(bag.local().size(), 1U);
  acre::priority_queue<std::string> queue(acre::world());
  queue.push("a value");
  expect_refusals(here, queue);
  EXPECT_EQ(queue.local_size(), 1U);
  acre::sorted_map<std::uint64_t, std::string> map(acre::world());
  map.insert(acre::rank(), "a value");
  expect_refusals(here, map);
  EXPECT_EQ(map.size(), acre::size());
  acre::union_find numbers(acre::world(), 100);
  numbers.unite(3, 97);
  expect_refusals(here, numbers);
  EXPECT_TRUE(numbers.are_together(97, 3));
  acre::disjoint_set<std::string> keys(acre::world(), 100);
  keys.unite("a key", "another key");
  expect_refusals(here, keys);
  EXPECT_TRUE(keys.are_together("another key", "a key"));
  acre::barrier();
}

}  // namespace
