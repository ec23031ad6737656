// SPDX-License-Identifier: BSD-3-Clause
// Other numbers of ranks: tests/checkpoint.
#include <acre/acre.hpp>
#include <acre/container/hash/hash_checkpoint.hpp>
#include <acre/container/queue/queue_checkpoint.hpp>
#include <acre/matrix_files/files_test.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using acre::files_test::error_of;
using acre::files_test::expect_error;
using texts = acre::hash_map<std::string, std::vector<int>>;

void fill(texts& map, int entries) {
  for (int i = static_cast<int>(acre::rank()); i < entries; i += static_cast<int>(acre::size())) {
    map.insert(std::to_string(i), std::vector<int>(static_cast<std::size_t>(i % 10), i));
  }
}
void expect_filled(const texts& map, int entries) {
  EXPECT_EQ(map.size(), static_cast<std::uint64_t>(entries));
  for (const auto& [key, value] : map.local()) {
    const int number = std::stoi(key);
    EXPECT_EQ(value, std::vector<int>(static_cast<std::size_t>(number % 10), number));
  }
}

TEST(ContainerCheckpointSmoke, BringsEntriesBack) {
  const acre::files_test::folder here;
  {
    texts map(acre::world(), 1000);
    fill(map, 500);
    acre::checkpoint(map, here / "map");
  }
  EXPECT_EQ(here.files(), 1);
  texts map(acre::world(), 10);
  fill(map, 5);
  acre::restore(map, here / "map");
  expect_filled(map, 500);
  EXPECT_LE(map.load_factor(), 0.75);
}

TEST(ContainerCheckpoint, FitsASmallerContainer) {
  const acre::files_test::folder here;
  constexpr std::uint64_t number = 20'000;
  {
    acre::counting_map<std::uint64_t> counts(acre::world(), 2 * number);
    if (acre::rank() == 0) {
      for (std::uint64_t i = 0; i < number; ++i) counts.add(i);
    }
    acre::checkpoint(counts, here / "counts");
  }
  acre::counting_map<std::uint64_t> counts(acre::world(), 3);
  acre::restore(counts, here / "counts");
  EXPECT_EQ(counts.size(), number);
}

TEST(ContainerCheckpoint, BringsAllContainersBack) {
  const acre::files_test::folder here;
  const acre::hosted_by last{acre::size() - 1};
  {
    acre::hash_set<std::uint64_t> set(acre::world(), 100);
    acre::counting_map<std::string> counts(acre::world(), 100);
    acre::hash_multimap<int, std::string> places(acre::world(), 8, acre::growth::automatic);
    acre::circular_queue<std::string> queue(acre::world(), last, 100);
    acre::fast_queue<int> numbers(acre::world(), last, 100);
    if (acre::rank() == 0) {
      for (int i = 0; i < 40; ++i) {
        set.insert(static_cast<std::uint64_t>(i));
        counts.add(std::to_string(i % 10));
        places.insert(i % 4, std::string(static_cast<std::size_t>(1000 * i), 'x'));
        queue.push(std::to_string(i));
        numbers.push(i);
      }
    }
    acre::checkpoint(set, here / "set");
    acre::checkpoint(counts, here / "counts");
    acre::checkpoint(places, here / "places");
    acre::checkpoint(queue, here / "queue");
    acre::checkpoint(numbers, here / "numbers");
    acre::barrier();
    if (acre::rank() == 0) {
      EXPECT_EQ(queue.pop(), "0") << "a checkpoint changes nothing";
    }
    acre::barrier();
  }
  const acre::hosted_by first{0};
  acre::hash_set<std::uint64_t> set(acre::world(), 10);
  acre::counting_map<std::string> counts(acre::world(), 10);
  acre::hash_multimap<int, std::string> places(acre::world(), 10);
  acre::circular_queue<std::string> queue(acre::world(), first, 40);
  acre::fast_queue<int> numbers(acre::world(), first, 50);
  acre::restore(set, here / "set");
  acre::restore(counts, here / "counts");
  acre::restore(places, here / "places");
  acre::restore(queue, here / "queue");
  acre::restore(numbers, here / "numbers");
  EXPECT_EQ(set.size(), 40U);
  EXPECT_TRUE(set.contains(39));
  EXPECT_EQ(counts.size(), 10U);
  EXPECT_EQ(counts.count("7"), 4U);
  EXPECT_EQ(places.size(), 40U);
  const std::vector<std::string> found = places.find(3);
  ASSERT_EQ(found.size(), 10U);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(found[i].size(), 1000 * (4 * i + 3)) << "values keep their order";
  }
  acre::barrier();
  if (acre::rank() == acre::size() - 1) {
    for (int i = 0; i < 40; ++i) {
      EXPECT_EQ(queue.pop(), std::to_string(i));
      EXPECT_EQ(numbers.pop(), i);
    }
    EXPECT_EQ(queue.pop(), std::nullopt);
  }
  acre::barrier();
}

TEST(ContainerCheckpoint, StoresEmptyContainers) {
  const acre::files_test::folder here;
  texts map(acre::world(), 100);
  acre::checkpoint(map, here / "map");
  fill(map, 50);
  acre::restore(map, here / "map");
  EXPECT_EQ(map.size(), 0U);
}

TEST(ContainerCheckpoint, SaysWhatIsWrongWithAFileAndChangesNothing) {
  const acre::files_test::folder here;
  texts map(acre::world(), 400);
  fill(map, 200);
  acre::checkpoint(map, here / "good");
  const auto read = [&](const char* name) {
    return error_of([&] { acre::restore(map, here / name); });
  };
  acre::files_test::expect_damage_noticed(here, read, "bad is damaged: the checksum of piece");
  acre::hash_map<std::string, int> other(acre::world(), 10);
  expect_error(error_of([&] { acre::restore(other, here / "good"); }),
               "good contains a acre::hash_map of");
  acre::circular_queue<std::string> queue(acre::world(), acre::hosted_by{0}, 10);
  expect_error(error_of([&] { acre::restore(queue, here / "good"); }), "and not a");
  expect_error(error_of([&] { acre::checkpoint(map, ""); }), "the file name is empty");
  expect_filled(map, 200);
}

TEST(ContainerCheckpoint, RefusesMoreValuesThanAQueueHolds) {
  const acre::files_test::folder here;
  acre::circular_queue<int> queue(acre::world(), acre::hosted_by{0}, 10);
  if (acre::rank() == 0) {
    for (int i = 0; i < 10; ++i) queue.push(i);
  }
  acre::checkpoint(queue, here / "queue");
  acre::circular_queue<int> small(acre::world(), acre::hosted_by{acre::size() - 1}, 4);
  expect_error(error_of([&] { acre::restore(small, here / "queue"); }),
               "10 values exceed the queue's capacity of 4");
  small.resize(10);
  acre::restore(small, here / "queue");
  EXPECT_EQ(small.size(), 10U);
  acre::barrier();
}

TEST(ContainerCheckpoint, LeavesTheOldFileWhereItCannotBeWritten) {
  const acre::files_test::folder here;
  texts map(acre::world(), 4000);
  fill(map, 20);
  acre::checkpoint(map, here / "old");
  const std::string old = acre::files_test::read_file(here / "old");
  fill(map, 3000);
  {
    const acre::files_test::full_disk full(4096);
    expect_error(error_of([&] { acre::checkpoint(map, here / "old"); }), "cannot write");
  }
  acre::barrier();
  EXPECT_EQ(acre::files_test::read_file(here / "old"), old);
  EXPECT_EQ(here.files(), 1);
}

struct choosy {
  int content = 0;
  static inline bool refuses = false;
  friend int acre_save(const choosy& c) { return c.content; }
  friend choosy acre_load(std::type_identity<choosy>, int read) {
    if (refuses && read == 2) throw std::runtime_error("no two");
    return {read};
  }
};

TEST(ContainerCheckpoint, FailsOnAllRanksWhereAValueCannotBeRead) {
  const acre::files_test::folder here;
  acre::hash_map<int, choosy> map(acre::world(), 100);
  if (acre::rank() == 0) {
    for (int i = 0; i < 4; ++i) map.insert(i, {i});
  }
  acre::checkpoint(map, here / "choosy");
  choosy::refuses = true;
  expect_error(error_of([&] { acre::restore(map, here / "choosy"); }), "no two (rank ");
  choosy::refuses = false;
  EXPECT_EQ(map.size(), 4U);
  acre::barrier();
}

}  // namespace
