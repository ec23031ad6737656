// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/sparse_collection.hpp>
#include <acre/agas/this_object.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using acre::base_test::failure_of;

std::atomic<int> alive = 0;

struct cell {
  explicit cell(int with = 0) : value(with) { ++alive; }
  cell(cell&& other) noexcept : value(other.value), log(std::move(other.log)) { ++alive; }
  ~cell() { --alive; }
  int add(int more) { return value += more; }
  void note(int number) { log.push_back(number); }
  [[nodiscard]] int get() const { return value; }
  [[nodiscard]] std::vector<int> notes() const { return log; }
  void refine(const acre::sparse_collection_id<cell, std::string>& all, const std::string& own) {
    all.insert(own + "0", value + 1).get();
    all.insert(own + "1", value + 1).get();
    all.erase(own).get();
  }
  int ask(const acre::sparse_collection_id<cell, int>& all, int other) {
    return acre::invoke(all[other], &cell::answer, all, value).get();
  }
  int answer(const acre::sparse_collection_id<cell, int>& all, int asker) {
    return value + acre::invoke(all[asker], &cell::get).get();
  }
  static constexpr auto acre_concurrent = std::tuple(&cell::get);
  int value;
  std::vector<int> log;
  friend auto acre_fields(cell& c) { return std::tie(c.value, c.log); }
};

int all_alive() {
  acre::drain();
  return acre::world().allreduce(alive.load());
}

TEST(SparseCollectionSmoke, GrowsAndShrinks) {
  {
    using index = std::array<int, 3>;
    const auto cells = acre::make_sparse_collection<cell, index>();
    const int me = int(acre::rank());
    EXPECT_TRUE(cells.insert({me, 7, -1}, me).get());
    EXPECT_FALSE(cells.insert({me, 7, -1}, 5).get());
    EXPECT_TRUE(cells.insert_object({me, 8, 0}, acre::create_here<cell>(me + 100)).get());
    EXPECT_FALSE(cells.insert_object({me, 8, 0}, acre::create_here<cell>(1)).get());
    acre::barrier();
    EXPECT_EQ(cells.size(), 2 * acre::size());
    const int next = (me + 1) % int(acre::size());
    EXPECT_EQ(acre::invoke(cells[{next, 7, -1}], &cell::get).get(), next);
    const auto found = cells.find({next, 8, 0}).get();
    EXPECT_EQ(acre::invoke(found, &cell::get).get(), next + 100);
    EXPECT_FALSE(cells.find({next, 9, 0}).get());
    acre::barrier();
    EXPECT_TRUE(cells.erase({me, 7, -1}).get());
    EXPECT_FALSE(cells.erase({me, 7, -1}).get());
    EXPECT_TRUE(cells.erase({next, 8, 0}).get());
    EXPECT_EQ(acre::invoke(found, &cell::get).get(), next + 100);
    acre::barrier();
    EXPECT_EQ(cells.size(), 0);
    EXPECT_EQ(all_alive(), int(acre::size()));
  }
  EXPECT_EQ(all_alive(), 0);
}

TEST(SparseCollectionSmoke, KeepsTheOrderOfCallsByIndexWhileMembersMove) {
  const auto cells = acre::make_sparse_collection<cell, int>();
  const int me = int(acre::rank());
  constexpr int calls = 200;
  if (me == 0) cells.insert(5).get();
  acre::barrier();
  for (int i = 0; i < calls; ++i) {
    acre::invoke_ff(cells[5], &cell::note, me * calls + i);
    if (i % 20 == me) {
      acre::invoke_ff(
          cells[5],
          [](cell&, acre::rank_t to) {
            static_cast<void>(acre::migrate(acre::this_id<cell>(), to));
          },
          acre::rank_t(i) % acre::size());
    }
  }
  acre::drain();
  const auto log = acre::invoke(cells[5], &cell::notes).get();
  EXPECT_EQ(log.size(), calls * acre::size());
  std::map<int, int> next;
  for (const int each : log) EXPECT_EQ(each % calls, next[each / calls]++);
  acre::barrier();
}

TEST(SparseCollectionSmoke, IsExplainedByAModelWhileAllRanksChangeIt) {
  const auto cells = acre::make_sparse_collection<cell, int>();
  std::mt19937 random(23 + acre::rank());
  constexpr int keys = 6;
  std::array<int, keys> inserted{};
  std::array<int, keys> erased{};
  for (int step = 0; step < 150; ++step) {
    const int key = int(random() % keys);
    switch (random() % 4) {
      case 0:
        inserted[std::size_t(key)] += cells.insert(key, 1).get() ? 1 : 0;
        break;
      case 1:
        erased[std::size_t(key)] += cells.erase(key).get() ? 1 : 0;
        break;
      case 2:
        if (const auto found = cells.find(key).get()) {
          static_cast<void>(acre::migrate(found, acre::rank_t(random()) % acre::size()));
        }
        break;
      default:
        try {
          EXPECT_GE(acre::invoke(cells[key], &cell::add, 1).get(), 2);
        } catch (const acre::error& failed) {
          EXPECT_NE(failed.problem().find("no member with this index"), std::string::npos);
        }
    }
  }
  acre::drain();
  const auto in = acre::world().allreduce(inserted, [](const auto& a, const auto& b) {
    auto sum = a;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += b[i];
    return sum;
  });
  const auto out = acre::world().allreduce(erased, [](const auto& a, const auto& b) {
    auto sum = a;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += b[i];
    return sum;
  });
  std::size_t left = 0;
  for (int key = 0; key < keys; ++key) {
    const int balance = in[std::size_t(key)] - out[std::size_t(key)];
    EXPECT_TRUE(balance == 0 || balance == 1) << key;
    EXPECT_EQ(bool(cells.find(key).get()), balance == 1);
    left += std::size_t(balance);
  }
  EXPECT_EQ(cells.size(), left);
  EXPECT_EQ(all_alive(), int(left));
}

TEST(SparseCollection, IsCalledAndReducedTogether) {
  const auto tree = acre::make_sparse_collection<cell, std::string>();
  if (acre::rank() == 0) tree.insert("r", 0).get();
  acre::barrier();
  for (int level = 0; level < 4; ++level) {
    const auto members = tree.homed_members();
    acre::barrier();
    for (const auto& [index, member] : members) {
      acre::invoke_ff(member, &cell::refine, tree.id(), index);
    }
    acre::drain();
  }
  EXPECT_EQ(tree.size(), 16);
  EXPECT_EQ(acre::invoke_reduce(tree, acre::op::sum, &cell::get), 64);
  acre::invoke_all(tree, &cell::add, 3);
  if (acre::rank() == 0) acre::invoke_all_ff(tree.id(), &cell::add, 10);
  acre::drain();
  EXPECT_EQ(acre::invoke_reduce(tree, acre::op::min, &cell::get), 17);
  EXPECT_EQ(acre::invoke_reduce(tree, acre::op::max, &cell::get), 17);
  EXPECT_EQ(all_alive(), 16);
}

TEST(SparseCollection, PassesNestedCallsByIndex) {
  const auto cells = acre::make_sparse_collection<cell, int>();
  const int me = int(acre::rank());
  cells.insert(me, me).get();
  cells.insert(1000 + me, 10 * me).get();
  acre::barrier();
  EXPECT_EQ(acre::invoke(cells[me], &cell::ask, cells.id(), 1000 + me).get(), 11 * me);
  acre::barrier();
}

TEST(SparseCollection, ReportsMissingMembersAndCollections) {
  const acre::runtime::failures_held held;
  acre::sparse_collection_id<cell, int> name;
  {
    const auto cells = acre::make_sparse_collection<cell, int>();
    name = cells;
    EXPECT_NE(failure_of([&] {
                acre::invoke(cells[1], &cell::get).get();
              }).find("has no member with this index"),
              std::string::npos);
    if (acre::rank() == 0) acre::invoke_ff(cells[1], &cell::add, 1);
    acre::drain();
    EXPECT_EQ(acre::runtime::pop_lost_failure() != nullptr, name.home_of(1) == acre::rank());
    acre::barrier();
  }
  EXPECT_NE(failure_of([&] { name.find(1).get(); }).find("the collection has ended"),
            std::string::npos);
  EXPECT_NE(failure_of([&] {
              acre::sparse_collection_id<cell, int>().find(1).get();
            }).find("this handle of a collection is empty"),
            std::string::npos);
  EXPECT_NE(failure_of([&] {
              const auto cells = acre::make_sparse_collection<cell, int>();
              cells.insert_object(1, acre::object_ref<cell>()).get();
            }).find("this handle of an object is empty"),
            std::string::npos);
  acre::barrier();
}

}  // namespace
