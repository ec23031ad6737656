// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/sets/union_find.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/symmetric_array.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/progress.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace acre::guarantees;
using acre::container::is_lower;
using acre::testing::common_seed;
using acre::testing::steps;
using edge = acre::union_find::edge;

/// The sets of one process.
class serial_sets {
 public:
  explicit serial_sets(std::uint64_t elements) : parents_(elements) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }
  bool unite(std::uint64_t a, std::uint64_t b) {
    a = find(a);
    b = find(b);
    if (is_lower(b, a)) std::swap(a, b);
    return std::exchange(parents_[a], b) != b;
  }
  std::uint64_t find(std::uint64_t element) {
    while (parents_[element] != element) {
      parents_[element] = parents_[parents_[element]];
      element = parents_[element];
    }
    return element;
  }

 private:
  std::vector<std::uint64_t> parents_;
};

std::vector<edge> random_edges(std::uint64_t seed, std::uint64_t elements, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<edge> edges;
  for (std::size_t i = 0; i < count; ++i)
    edges.emplace_back(random() % elements, random() % elements);
  return edges;
}

/// Checks all sets against those of all ranks' edges. Collective.
void expect_sets(acre::union_find& sets, const std::vector<edge>& mine, std::uint64_t united) {
  serial_sets expected(sets.size());
  std::uint64_t count = sets.size();
  for (const auto& edges : acre::world().allgather(mine)) {
    for (const auto& [a, b] : edges) count -= expected.unite(a, b) ? 1 : 0;
  }
  EXPECT_EQ(sets.set_count(), count);
  EXPECT_EQ(acre::world().allreduce(united), sets.size() - count);
  std::vector<std::uint64_t> all(sets.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<std::uint64_t> roots = sets.find_many(all);
  std::uint64_t wrong = 0;
  for (const std::uint64_t each : all) wrong += roots[each] != expected.find(each) ? 1 : 0;
  EXPECT_EQ(wrong, 0U);
  sets.for_each_local([&](std::uint64_t element, std::uint64_t root) {
    EXPECT_EQ(root, expected.find(element));
    EXPECT_TRUE(sets.owner(element).is_this_rank());
  });
}

TEST(UnionFindSmoke, UnitesARing) {
  const std::uint64_t elements = std::uint64_t{10} * acre::size();
  acre::union_find sets(acre::world(), elements);
  EXPECT_EQ(sets.set_count(), elements);
  std::uint64_t united = 0;
  for (std::uint64_t i = acre::rank(); i < elements; i += acre::size()) {
    if (sets.unite(i, (i + 1) % elements)) ++united;
    EXPECT_TRUE(sets.are_together((i + 1) % elements, i));
  }
  EXPECT_EQ(acre::world().allreduce(united), elements - 1);
  EXPECT_EQ(sets.set_count(), 1U);
  EXPECT_EQ(sets.find(acre::rank()), sets.find(elements - 1));
  acre::barrier();
}

TEST(UnionFind, EqualsASerialOneForAnyOrder) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  for (const std::uint64_t elements : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{300}}) {
    acre::union_find sets(acre::world(), elements);
    const auto count = static_cast<std::size_t>(steps(2000)) / acre::size();
    const auto edges =
        random_edges(seed + acre::rank(), elements, std::min<std::size_t>(count, elements));
    std::uint64_t united = 0;
    for (const auto& [a, b] : edges) united += sets.unite(a, b) ? 1 : 0;
    expect_sets(sets, edges, united);
  }
}

TEST(UnionFind, UnitesAllAtOnce) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  // Few edges leave many sets; many edges meet in one.
  for (const std::size_t per_element : {1U, 2U, 16U}) {
    constexpr std::uint64_t elements = 1000;
    acre::union_find sets(acre::world(), elements);
    const auto edges =
        random_edges(seed + acre::rank(), elements, elements * per_element / 2 / acre::size());
    expect_sets(sets, edges, sets.unite_all(edges));
    sets.compress();
    const std::uint64_t united = elements - sets.set_count();
    expect_sets(sets, edges, acre::rank() == 0 ? united : 0);
    sets.clear();
    EXPECT_EQ(sets.set_count(), elements);
    acre::barrier();
    expect_sets(sets, {}, 0);
  }
}

TEST(UnionFind, UnitesPathsInAnyDirection) {
  constexpr std::uint64_t elements = 3000;
  for (const bool is_upward : {true, false}) {
    acre::union_find sets(acre::world(), elements);
    std::vector<std::array<std::uint32_t, 2>> path;
    std::vector<edge> same;
    for (std::uint32_t i = acre::rank(); i + 1 < elements; i += acre::size()) {
      const std::uint32_t at = is_upward ? i : elements - 2 - i;
      path.push_back({at, at + 1});
      same.emplace_back(at, at + 1);
    }
    expect_sets(sets, same, sets.unite_all(path, only<update>));
    EXPECT_EQ(sets.set_count(), 1U);
  }
}

TEST(UnionFind, ReportsASpanningForest) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  constexpr std::uint64_t elements = 1000;
  acre::union_find sets(acre::world(), elements);
  const auto edges = random_edges(seed + acre::rank(), elements, 1200 / acre::size());
  const std::vector<bool> united = sets.unite_many(edges);
  ASSERT_EQ(united.size(), edges.size());
  std::vector<edge> trees;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (united[i]) trees.push_back(edges[i]);
  }
  expect_sets(sets, edges, trees.size());
  acre::union_find again(acre::world(), elements);
  expect_sets(again, edges, again.unite_all(trees));
  EXPECT_TRUE(sets.unite_many({}).empty());
  EXPECT_TRUE(sets.find_many({}).empty());
}

TEST(UnionFind, UnitesBySeveralThreadsOfARank) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  constexpr std::uint64_t elements = 500;
  acre::union_find sets(acre::world(), elements);
  const auto edges = random_edges(seed + acre::rank(), elements, 80);
  std::vector<std::uint64_t> united(2);
  std::vector<std::thread> threads;
  for (std::size_t each = 0; each < united.size(); ++each) {
    threads.emplace_back([&, each] {
      const auto half = std::span(edges).subspan(40 * each, 40);
      united[each] = sets.unite_all(half.first(30));
      for (const auto& [a, b] : half.subspan(30)) united[each] += sets.unite(a, b) ? 1 : 0;
    });
  }
  for (std::thread& each : threads) each.join();
  expect_sets(sets, edges, united[0] + united[1]);
}

/// Serving others is counted too.
template <class Function>
void take_turns(Function&& f) {
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) {
    if (rank == acre::rank()) f();
    acre::barrier();
  }
}

template <class Function>
acre::operation_counts spent_by(Function&& f) {
  const auto before = acre::counters();
  f();
  return acre::counters() - before;
}

TEST(UnionFind, CostsWhatItSays) {
  constexpr std::uint64_t each = 6;
  acre::union_find sets(acre::world(), each * acre::size());
  const std::uint64_t first = each * ((acre::rank() + 1) % acre::size());
  take_turns([&] {
    const bool is_far = !sets.guts().near().is_here(first);
    const auto expect = [&](const acre::operation_counts& spent, std::uint64_t reads,
                            std::uint64_t atomics) {
      EXPECT_EQ(spent.reads, is_far ? 0 : reads);
      EXPECT_EQ(spent.atomics, is_far ? 0 : atomics);
      EXPECT_EQ(spent.messages, is_far ? 1U : 0U);
      EXPECT_EQ(spent.writes, 0U);
    };
    expect(spent_by([&] { EXPECT_EQ(sets.find(first), first); }), 1, 0);
    expect(spent_by([&] { EXPECT_FALSE(sets.are_together(first, first + 1)); }), 3, 0);
    expect(spent_by([&] { EXPECT_TRUE(sets.unite(first, first + 1)); }), 3, 1);
    expect(spent_by([&] { EXPECT_FALSE(sets.unite(first, first + 1)); }), 2, 0);
    expect(spent_by([&] { EXPECT_TRUE(sets.are_together(first, first + 1)); }), 2, 0);
    const std::uint64_t root = sets.find(first);
    const std::uint64_t leaf = root == first ? first + 1 : first;
    expect(spent_by([&] { EXPECT_EQ(sets.find(leaf), root); }), 2, 0);
  });
  for (std::uint64_t i = first; i + 1 < first + each; ++i) sets.unite(i, i + 1);
  acre::barrier();
  take_turns([&] {
    const auto spent = spent_by([&] {
      for (std::uint64_t i = first; i < first + each; ++i) {
        EXPECT_EQ(sets.find(i, only<find>), sets.find(first, only<find>));
        EXPECT_TRUE(sets.are_together(i, first, only<find>));
      }
    });
    EXPECT_EQ(spent.atomics + spent.writes, 0U);
  });
}

TEST(UnionFind, SendsEachElementOfAnotherNodeOnce) {
  if (acre::runtime::node_count() != acre::size() || acre::size() == 1) {
    GTEST_SKIP() << "needs a node for each rank";
  }
  constexpr std::uint64_t each = 4096;
  acre::union_find sets(acre::world(), each * acre::size());
  const std::uint64_t first = each * ((acre::rank() + 1) % acre::size());
  take_turns([&] {
    std::vector<edge> edges;
    for (int times = 0; times < 20; ++times) {
      for (std::uint64_t i = 0; i + 1 < each; ++i) edges.emplace_back(first + i, first + i + 1);
    }
    const auto spent = spent_by([&] { EXPECT_EQ(sets.unite_all(edges), each - 1); });
    // 16 bytes per element in messages of at least 16 KiB.
    EXPECT_LE(spent.messages, 5U);
    EXPECT_LE(spent.message_bytes, 20 * each);
    std::vector<std::uint64_t> elements;
    for (const auto& [a, b] : edges) elements.push_back(a);
    const auto search = spent_by([&] {
      const auto roots = sets.find_many(elements);
      EXPECT_EQ(std::ranges::count(roots, roots[0]), static_cast<std::ptrdiff_t>(elements.size()));
    });
    EXPECT_LE(search.messages, 5U);
    EXPECT_LE(search.message_bytes, 20 * each);
  });
}

TEST(UnionFind, ShowsWritesBeforeAUnite) {
  acre::symmetric_array<std::uint64_t> data(acre::world(), 1);
  acre::union_find sets(acre::world(), 2 * acre::size());
  const std::uint64_t mine = 2 * acre::rank();
  acre::put(data.pointer(acre::rank()), std::uint64_t{42});
  sets.unite(mine, mine + 1);
  const acre::rank_t other = (acre::rank() + 1) % acre::size();
  while (!sets.are_together(2 * other, 2 * other + 1)) acre::progress();
  EXPECT_EQ(acre::get(data.pointer(other)), 42U);
  acre::barrier();
}

TEST(UnionFind, RefusesUnknownElements) {
  acre::union_find sets(acre::world(), 10);
  try {
    sets.unite(3, 10);
    ADD_FAILURE() << "element 10 was accepted";
  } catch (const acre::error& refused) {
    EXPECT_EQ(refused.call(), "union_find::unite");
    EXPECT_EQ(refused.problem(), "element 10 does not exist");
    EXPECT_EQ(refused.advice(), "elements are 0 … 9");
  }
  EXPECT_THROW(static_cast<void>(sets.find(10)), acre::error);
  EXPECT_THROW(static_cast<void>(sets.owner(10)), acre::error);
  EXPECT_THROW(static_cast<void>(sets.are_together(11, 0)), acre::error);
  EXPECT_THROW(sets.unite_all(std::vector{edge{0, 1}, edge{0, 99}}), acre::error);
  EXPECT_THROW(static_cast<void>(sets.unite_many(std::vector{edge{0, 99}})), acre::error);
  EXPECT_THROW(static_cast<void>(sets.find_many(std::vector<std::uint64_t>{1, 99})), acre::error);
  acre::barrier();
  EXPECT_EQ(sets.set_count(), 9U) << "only pairs of unknown elements are refused";
}

TEST(UnionFind, NoticesABrokenGuaranteeInCheckedBuilds) {
  if constexpr (!acre::base::has_checks) GTEST_SKIP() << "needs ACRE_CHECKS";
  acre::union_find sets(acre::world(), 2 * acre::size());
  const std::uint64_t other = 2 * ((acre::rank() + 1) % acre::size());
  static_cast<void>(sets.find(other, only<find>));
  acre::barrier();
  static_cast<void>(sets.find(other, only<find>));
  EXPECT_THROW(sets.unite(other, other + 1), acre::error);
  acre::barrier();
  EXPECT_EQ(sets.set_count(), 2 * acre::size());
  sets.unite(other, other + 1, only<update>);
  EXPECT_EQ(sets.set_count(), acre::size());
}

TEST(UnionFind, BelongsToItsTeam) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  acre::union_find sets(half, 50);
  std::vector<edge> edges;
  for (std::uint64_t i = half.rank(); i + 2 < 50; i += half.size()) edges.emplace_back(i, i + 2);
  const std::uint64_t united = sets.unite_all(edges);
  EXPECT_EQ(half.allreduce(united), 48U);
  EXPECT_EQ(sets.set_count(), 2U);
  EXPECT_FALSE(sets.are_together(0, 1));
  EXPECT_TRUE(sets.are_together(1, 49));
  half.barrier();
}

TEST(UnionFind, MovesAndEndsInAnyOrder) {
  acre::union_find empty;
  EXPECT_THROW(empty.unite(0, 0), acre::error);
  EXPECT_THROW(static_cast<void>(empty.find(0)), acre::error);
  EXPECT_THROW(static_cast<void>(empty.set_count()), acre::error);
  auto first = std::make_unique<acre::union_find>(acre::world(), 10);
  auto second = std::make_unique<acre::union_find>(acre::world(), 20);
  second->unite(0, 19);
  acre::barrier();
  first.reset();
  empty = std::move(*second);
  EXPECT_THROW(second->unite(0, 1), acre::error);
  second.reset();
  EXPECT_EQ(empty.set_count(), 19U);
}

TEST(UnionFind, IsRefusedOnAllMembersWhenItIsAbsurd) {
  EXPECT_THROW(acre::union_find(acre::world(), std::numeric_limits<std::uint64_t>::max()),
               acre::error);
  EXPECT_THROW(acre::union_find(acre::world(), std::uint64_t{1} << 60), acre::error);
  if (acre::size() > 1) {
    EXPECT_THROW(acre::union_find(acre::world(), acre::rank() == 0 ? 10 : 11), acre::error);
  }
  acre::union_find none(acre::world(), 0);
  EXPECT_EQ(none.set_count(), 0U);
  EXPECT_EQ(none.unite_all(std::vector<edge>{}), 0U);
  none.compress();
}

}  // namespace
