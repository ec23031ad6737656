// SPDX-License-Identifier: BSD-3-Clause
// Kept and broken guarantees.
#include <acre/acre.hpp>
#include <acre/base/checks.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace acre::guarantees;
using table = acre::hash_map<std::uint64_t, std::uint64_t>;

template <class Guarantee>
concept finds_with =
    requires(const table& map, Guarantee guarantee) { static_cast<void>(map.find(1, guarantee)); };
template <class Guarantee>
concept inserts_with = requires(table& map, Guarantee guarantee) { map.insert(1, 1, guarantee); };
template <class Guarantee>
concept erases_with = requires(table& map, Guarantee guarantee) { map.erase(1, guarantee); };
template <class Guarantee>
concept adds_with = requires(table& map, Guarantee guarantee) { map.fetch_add(1, 1, guarantee); };

static_assert(finds_with<decltype(only<find>)> && finds_with<decltype(only<insert, find>)>);
static_assert(!finds_with<decltype(only<insert>)>);
static_assert(inserts_with<decltype(only<insert>)> && !inserts_with<decltype(only<find>)>);
static_assert(erases_with<decltype(only<erase>)> && !erases_with<decltype(only<insert, find>)>);
static_assert(adds_with<decltype(only<update>)> && !adds_with<decltype(only<find>)>);
static_assert(finds_with<decltype(local)> && inserts_with<decltype(local)> &&
              erases_with<decltype(local)> && adds_with<decltype(local)>);

std::uint64_t key_of(const table& map, acre::rank_t owner, std::uint64_t start = 0) {
  while (map.owner(start).world_rank() != owner) ++start;
  return start;
}

acre::operation_counts cost_of(auto&& operation) {
  const acre::operation_counts before = acre::counters();
  operation();
  return acre::counters() - before;
}

TEST(HashMapGuaranteeSmoke, DoesTheSameAsWithoutGuarantees) {
  table map(acre::world(), 1000);
  for (std::uint64_t key = acre::rank(); key < 200; key += acre::size()) {
    EXPECT_TRUE(map.insert(key, key + 1, only<insert>));
  }
  acre::barrier();
  for (std::uint64_t key = 0; key < 200; ++key) EXPECT_EQ(map.find(key, only<find>), key + 1);
  EXPECT_FALSE(map.contains(200, only<find>));
  acre::barrier();
  std::vector<std::uint64_t> mine;
  for (const auto& [key, value] : map.local()) mine.push_back(key);
  acre::barrier();
  for (const std::uint64_t key : mine) {
    EXPECT_EQ(map.fetch_add(key, 5, local), key + 1);
    EXPECT_EQ(map.find(key, local), key + 6);
    EXPECT_TRUE(map.erase(key, local));
    EXPECT_FALSE(map.contains(key, local));
    EXPECT_TRUE(map.insert(key, 1, local));
    EXPECT_FALSE(map.insert_or_assign(key, 3, local));
  }
  acre::barrier();
  for (std::uint64_t key = 0; key < 200; ++key) EXPECT_EQ(map.find(key, only<find>), 3U);
  acre::barrier();
}

TEST(HashMapGuarantee, SavesWhatItSays) {
  table map(acre::world(), 1 << 12);
  const std::uint64_t mine = key_of(map, acre::rank());
  const auto insertion = cost_of([&] { map.insert(mine, 1, local); });
  EXPECT_EQ(insertion.atomics + insertion.reads + insertion.writes + insertion.messages, 0U);
  const auto look = cost_of([&] { static_cast<void>(map.find(mine, local)); });
  EXPECT_EQ(look.atomics + look.reads + look.writes + look.messages, 0U);
  acre::barrier();

  // Answers to others would be counted.
  const std::uint64_t theirs = key_of(map, acre::size() - 1);
  const std::uint64_t fresh = key_of(map, acre::size() - 1, 1'000'000);
  const bool is_far = acre::runtime::node_of(acre::size() - 1) != acre::runtime::node_of(0);
  if (acre::rank() == 0) {
    // With checks, the first find of a phase is a message that records the guarantee.
    if constexpr (acre::base::has_checks) static_cast<void>(map.find(theirs, only<find>));
    const auto finding = cost_of([&] { EXPECT_TRUE(map.find(theirs, only<find>)); });
    EXPECT_EQ(finding.reads, 1U);
    EXPECT_EQ(finding.messages, 0U);
    EXPECT_EQ(finding.rpcs + finding.atomics + finding.writes, 0U);
  }
  acre::barrier();
  if (acre::rank() == 0) {
    const auto adding = cost_of([&] { EXPECT_TRUE(map.insert(fresh, 1, only<insert>)); });
    EXPECT_EQ(adding.atomics, is_far ? 0U : 1U);
    EXPECT_EQ(adding.writes, is_far ? 0U : 1U);
    EXPECT_EQ(adding.messages, is_far ? 1U : 0U);
    EXPECT_EQ(adding.rpcs, 0U);
  }
  acre::barrier();
}

TEST(HashMapGuarantee, RefusesKeysOfOthersAsLocal) {
  if (acre::size() == 1) GTEST_SKIP();
  table map(acre::world(), 100);
  const std::uint64_t theirs = key_of(map, (acre::rank() + 1) % acre::size());
  EXPECT_THROW(static_cast<void>(map.find(theirs, local)), acre::error);
  EXPECT_THROW(map.insert(theirs, 1, local), acre::error);
  acre::barrier();
}

TEST(HashMapGuarantee, IsReportedWhenItIsBroken) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP() << "a build without checks";
  table map(acre::world(), 100);
  if (acre::rank() == 0) {
    static_cast<void>(map.find(7, only<find>));
    try {
      map.insert(7, 1);
      ADD_FAILURE() << "it may insert what only finds were guaranteed for";
    } catch (const acre::error& broken) {
      EXPECT_NE(std::string(broken.what()).find("guarantee"), std::string::npos) << broken.what();
    }
  }
  acre::barrier();
  map.insert(8, 1, only<insert>);
  acre::barrier();
  EXPECT_TRUE(map.find(8, only<find>));
  acre::barrier();
}

TEST(HashMapGuarantee, IsNotBrokenByWhatRunsForOthersInACollective) {
  static table* mine = nullptr;
  table map(acre::world(), 2000);
  mine = &map;
  acre::barrier();
  for (std::uint64_t i = 0; i < 20; ++i) {
    const std::uint64_t key = 20 * acre::rank() + i;
    acre::rpc((acre::rank() + 1) % acre::size(),
              [](std::uint64_t inserted) { mine->insert(inserted, 1); }, key)
        .get();
  }
  acre::barrier();
  for (std::uint64_t key = 0; key < 20 * acre::size(); ++key) {
    EXPECT_TRUE(map.contains(key, only<find>));
  }
  acre::barrier();
}

TEST(HashMapGuarantee, KnowsWritersAndWalks) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP() << "a build without checks";
  table map(acre::world(), 100);
  map.insert(acre::rank(), 1);
  acre::barrier();
  if (acre::rank() == 0) {
    EXPECT_TRUE(map.contains(0, only<find>));
    acre::buffered writer(map, acre::adding);
    writer.add(0, 1);
    EXPECT_THROW(writer.flush(), acre::error);
    writer.discard_refused();
    acre::barrier();
    EXPECT_NO_THROW(writer.flush());
  } else {
    acre::barrier();
  }
  acre::barrier();
  if (acre::rank() == 0) {
    const std::uint64_t local_key = key_of(map, 0, 1000);
    map.insert(local_key, 1, only<insert>);
    EXPECT_THROW(static_cast<void>(map.begin()), acre::error);
  }
  acre::barrier();
}

TEST(HashMapGuarantee, IsReportedWhenAnotherRankBreaksIt) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP() << "a build without checks";
  if (acre::size() == 1) GTEST_SKIP();
  table map(acre::world(), 100);
  acre::global_ptr<int> turn;
  if (acre::rank() == 0) turn = acre::make_global<int>(0);
  turn = acre::world().broadcast(turn, 0);
  if (acre::rank() == 0) {
    static_cast<void>(map.find(7, only<find>));
    acre::atomic_store(turn, 1);
  } else if (acre::rank() == 1) {
    while (acre::atomic_load(turn) == 0) acre::progress();
    EXPECT_THROW(map.insert(7, 1), acre::error);
  }
  acre::barrier();
  if (acre::rank() == 0) acre::destroy_global(turn);
}

using texts = acre::hash_map<std::string, std::string>;

std::string text_key(acre::rank_t rank, int number) {
  return "rank " + std::to_string(rank) + ", number " + std::to_string(number);
}

acre::task<> insert_one_after_the_other(texts& map, int count) {
  for (int i = 0; i < count; ++i) {
    co_await map.insert_async(text_key(acre::rank(), i), std::string(i % 4 == 0 ? 20'000 : 5, 'x'));
  }
}

TEST(HashMapGuarantee, TakesWhatContinuationsBeginIntoThePhaseBefore) {
  constexpr int count = 12;
  texts map(acre::world(), 1000);
  auto inserted = insert_one_after_the_other(map, count);
  map.sync();
  EXPECT_TRUE(inserted.is_ready());
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
    for (int i = 0; i < count; ++i) EXPECT_TRUE(map.contains(text_key(rank, i), only<find>));
  }
  inserted.get();
  acre::barrier();
}

}  // namespace
