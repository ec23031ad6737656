// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/container/sets/disjoint_set.hpp>
#include <acre/container/sets/union_find.hpp>
#include <acre/container/sets/uniting.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

namespace {

TEST(UnitingSmoke, UnitesAtTheNextFlush) {
  const std::uint64_t elements = std::uint64_t{300} * acre::size();
  acre::union_find sets(acre::world(), elements);
  std::uint64_t united = 0;
  {
    acre::buffered writer(sets, acre::uniting);
    for (std::uint64_t i = acre::rank(); i + 1 < elements; i += acre::size()) {
      writer.unite(i, i + 1);
      if (i + acre::size() >= elements / 2 && united == 0) united = writer.flush();
    }
    EXPECT_GT(united, 0U);
    united += writer.flush();
    EXPECT_EQ(writer.flush(), 0U);
    writer.unite(acre::rank(), acre::rank());
  }
  EXPECT_EQ(acre::world().allreduce(united), elements - 1);
  EXPECT_EQ(sets.set_count(), 1U);
}

TEST(Uniting, FlushesAtItsEndAndServesTheNextPhase) {
  acre::union_find sets(acre::world(), acre::size() + 1);
  for (int phase = 0; phase < 2; ++phase) {
    {
      acre::buffered(sets, acre::uniting).unite(acre::rank(), acre::size());
    }
    EXPECT_EQ(sets.set_count(), 1U);
    sets.clear();
  }
  acre::buffered writer(sets, acre::uniting);
  writer.unite(acre::rank(), acre::size());
  writer.flush();
  sets.clear();
  writer.unite(acre::rank(), acre::size());
  writer.flush();
  EXPECT_EQ(sets.set_count(), 1U) << "a union of before clear() is no reason to omit one";
}

TEST(Uniting, RefusesOnlyPairsWithoutElements) {
  acre::union_find sets(acre::world(), 10);
  acre::buffered writer(sets, acre::uniting);
  writer.unite(1, 2);
  EXPECT_THROW(writer.unite(0, 10), acre::error);
  writer.unite(2, 3);
  writer.flush();
  EXPECT_TRUE(sets.are_together(1, 3));
  acre::barrier();
  EXPECT_EQ(sets.set_count(), 8U);
  acre::barrier();
}

TEST(Uniting, CollectiveCallsUniteWhatWasNotFlushed) {
  const std::uint64_t elements = std::uint64_t{2} * acre::size();
  acre::union_find sets(acre::world(), elements);
  acre::buffered writer(sets, acre::uniting);
  const auto unite_all = [&] {
    for (std::uint64_t i = acre::rank(); i + 1 < elements; i += acre::size()) {
      writer.unite(i, i + 1);
    }
  };
  unite_all();
  EXPECT_EQ(sets.set_count(), 1U);
  sets.clear();
  unite_all();
  sets.clear();
  EXPECT_EQ(acre::world().allreduce(writer.flush()), 2 * (elements - 1));
  EXPECT_EQ(sets.set_count(), elements);
}

TEST(Uniting, RefusesSetsThatHaveEnded) {
  {
    acre::union_find sets(acre::world(), 10);
    acre::buffered writer(sets, acre::uniting);
    sets = {};
    EXPECT_EQ(writer.flush(), 0U);
    try {
      writer.unite(1, 2);
      ADD_FAILURE() << "the sets have ended";
    } catch (const acre::error& refused) {
      EXPECT_EQ(refused.call(), "buffered");
      EXPECT_EQ(refused.problem(), "the sets no longer exist");
    }
  }
  acre::disjoint_set<std::string> sets(acre::world(), 10);
  acre::buffered writer(sets, acre::uniting);
  acre::disjoint_set<std::string> others = std::move(sets);
  writer.unite("a", "b");
  writer.flush();
  EXPECT_TRUE(others.are_together("a", "b"));
  acre::barrier();
  others = {};
  EXPECT_EQ(writer.flush(), 0U);
  acre::disjoint_set<std::string> last(acre::world(), 10);
  const auto lose = [&] {
    acre::buffered lost(last, acre::uniting);
    lost.unite("a", "b");
    last = {};
  };
  EXPECT_THROW(lose(), acre::error) << "at the end of the writer";
}

TEST(Uniting, ContinuesInEnlargedSets) {
  acre::disjoint_set<std::string> sets(acre::world(), 20000);
  const std::string mine = std::to_string(acre::rank());
  std::uint64_t united = 0;
  {
    acre::buffered writer(sets, acre::uniting);
    const auto unite = [&](int first, int last) {
      for (int i = first; i < last; ++i) writer.unite("all", mine + "_" + std::to_string(i));
    };
    unite(0, 2100);
    sets.reserve(40000);
    unite(2100, 2200);
    united = writer.flush();
  }
  EXPECT_EQ(acre::world().allreduce(united), std::uint64_t{2200} * acre::size());
  EXPECT_EQ(sets.set_count(), 1U);
}

TEST(Uniting, UnitesKeysOfAnyType) {
  acre::disjoint_set<std::string> sets(acre::world(), 100);
  acre::buffered writer(sets, acre::uniting);
  for (int i = 0; i < 20; ++i) writer.unite("all", std::to_string(i));
  const std::uint64_t united = writer.flush();
  EXPECT_EQ(acre::world().allreduce(united), 20U);
  EXPECT_EQ(sets.size(), 21U);
  sets.reserve(5000);
  writer.unite("all", "last");
  writer.flush();
  EXPECT_EQ(sets.set_count(), 1U);
  EXPECT_TRUE(sets.are_together("last", "19"));
  acre::barrier();
}

}  // namespace
