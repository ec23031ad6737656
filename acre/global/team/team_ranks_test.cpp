// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/allocate.hpp>
#include <acre/global/team/team.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <exception>
#include <string>
#include <thread>
#include <vector>

namespace {

using acre::rank_t;

class shared_words {
 public:
  shared_words() : mine_(acre::make_global<std::uint64_t>(0U)) {
    for (const std::uint64_t bits : acre::world().allgather(mine_.bits())) {
      all_.push_back(acre::global_ptr<std::uint64_t>::from_bits(bits));
    }
  }
  ~shared_words() {
    acre::barrier();
    acre::destroy_global(mine_);
  }
  shared_words(const shared_words&) = delete;
  shared_words& operator=(const shared_words&) = delete;

  acre::global_ptr<std::uint64_t> operator[](rank_t rank) const { return all_[rank]; }

 private:
  acre::global_ptr<std::uint64_t> mine_;
  std::vector<acre::global_ptr<std::uint64_t>> all_;
};

int rounds(int quick) {
  if (acre::runtime::world.conduit != nullptr) return quick / 300;
  return acre::runtime::crowded() ? quick / 20 : quick;
}

TEST(Team, SmokeWorldHasAllRanksInTheirOrder) {
  const acre::team& world = acre::world();
  EXPECT_EQ(world.size(), acre::size());
  EXPECT_EQ(world.rank(), acre::rank());
  EXPECT_TRUE(world.is_world());
  for (rank_t r = 0; r < world.size(); ++r) {
    EXPECT_EQ(world.world_rank(r), r);
    EXPECT_EQ(world.member(r), r);
  }
  EXPECT_FALSE(world.contains(world.size()));
}

TEST(Team, NodeHasTheRanksThatShareMemory) {
  const acre::team& node = acre::node();
  for (rank_t r = 0; r < acre::size(); ++r) {
    EXPECT_EQ(node.contains(r), acre::runtime::world.bases[r] != 0) << "rank " << r;
  }
  EXPECT_EQ(node.world_rank(node.rank()), acre::rank());
}

TEST(Team, AHandleWithoutATeamSaysSo) {
  const acre::team none;
  EXPECT_FALSE(none);
  EXPECT_THROW(static_cast<void>(none.size()), acre::error);
  EXPECT_THROW(none.barrier(), acre::error);
}

TEST(Team, RefusesRanksThatAreNotInIt) {
  EXPECT_THROW(static_cast<void>(acre::world().world_rank(acre::size())), acre::error);
  EXPECT_THROW(static_cast<void>(acre::world().broadcast(1, acre::size())), acre::error);
  EXPECT_THROW(static_cast<void>(acre::world().gather(1, acre::size())), acre::error);
}

std::vector<acre::global_ptr<std::byte>> take_all_memory() {
  std::vector<acre::global_ptr<std::byte>> taken;
  for (std::size_t bytes = std::size_t{1} << 40; bytes >= 64;) {
    try {
      taken.push_back(acre::allocate<std::byte>(bytes));
    } catch (const acre::error&) {
      bytes /= 2;
    }
  }
  return taken;
}

TEST(Team, WithoutMemoryOnOneNodeIsAnErrorOnAllMembers) {
  if (acre::size() == 1) GTEST_SKIP() << "needs two ranks";
  const acre::team before = acre::world().split(0);
  const auto taken =
      acre::rank() == 0 ? take_all_memory() : std::vector<acre::global_ptr<std::byte>>();
  acre::barrier();
  try {
    const acre::team members = acre::world().split(0);
    EXPECT_NE(acre::runtime::node_of(acre::rank()), acre::runtime::node_of(0));
    members.barrier();
    FAIL() << "a team without memory";
  } catch (const acre::error& problem) {
    EXPECT_FALSE(problem.problem().empty());
  }
  acre::barrier();
  for (const auto& each : taken) acre::deallocate(each);
  acre::barrier();
}

// Rank 0 destroys its handle, as an exception that unwinds would.
TEST(Team, WithoutAHandleOnOneRankIsAnErrorOnTheOthers) {
  if (acre::size() == 1) GTEST_SKIP() << "needs two ranks";
  acre::team members = acre::world().split(0);
  members.barrier();
  if (acre::rank() == 0) {
    members = {};
  } else {
    EXPECT_THROW(members.barrier(), acre::error);
  }
  acre::barrier();
}

TEST(Team, SplitOrdersByKeyThenRank) {
  const acre::team& world = acre::world();
  const int color = static_cast<int>(world.rank() % 2);
  const acre::team down = world.split(color, -static_cast<int>(world.rank()));
  std::vector<rank_t> expected;
  for (rank_t r = world.size(); r-- > 0;) {
    if (r % 2 == world.rank() % 2) expected.push_back(r);
  }
  ASSERT_EQ(down.size(), expected.size());
  for (rank_t m = 0; m < down.size(); ++m) {
    EXPECT_EQ(down.world_rank(m), expected[m]);
    EXPECT_EQ(down.member(expected[m]), m);
  }
  EXPECT_EQ(down.world_rank(down.rank()), world.rank());
  const acre::team same_key = world.split(0, 7);
  EXPECT_TRUE(same_key.is_world());
  EXPECT_FALSE(same_key == world);
}

TEST(Team, ANegativeColorGivesNoTeam) {
  const bool in = acre::rank() != 0;
  const acre::team others = acre::world().split(in ? 0 : -1);
  EXPECT_EQ(static_cast<bool>(others), in);
  if (in) {
    EXPECT_EQ(others.size(), acre::size() - 1);
  }
}

TEST(Team, IsSplitIntoPartsOfConsecutiveMembers) {
  for (acre::rank_t parts = 1; parts <= acre::size() + 1; ++parts) {
    const acre::team part = acre::world().split_into(parts);
    const acre::rank_t least = acre::size() / parts;
    EXPECT_GE(part.size(), least);
    EXPECT_LE(part.size(), least + 1);
    EXPECT_EQ(part.world_rank(part.rank()), acre::rank());
    EXPECT_EQ(part.world_rank(0) + part.rank(), acre::rank());
  }
  EXPECT_THROW(static_cast<void>(acre::world().split_into(0)), acre::error);
}

TEST(Team, IsSplitByPartsOfMachines) {
  const acre::team node = acre::world().split_by(acre::locality::node);
  ASSERT_EQ(node.size(), acre::node().size());
  for (acre::rank_t i = 0; i < node.size(); ++i) {
    EXPECT_EQ(node.world_rank(i), acre::node().world_rank(i));
  }
  for (const acre::locality part : {acre::locality::socket, acre::locality::numa_domain}) {
    const acre::team some = acre::world().split_by(part);
    for (acre::rank_t i = 0; i < some.size(); ++i) EXPECT_TRUE(node.contains(some.world_rank(i)));
  }
}

TEST(Team, SplitsOfSplitsWorkSideBySide) {
  std::vector<acre::team> levels{acre::world()};
  while (levels.back().size() > 1) {
    const acre::team& last = levels.back();
    levels.push_back(last.split(static_cast<int>(last.rank() % 2)));
  }
  for (int round = 0; round < 20; ++round) {
    for (const acre::team& level : levels) {
      rank_t expected = 0;
      for (rank_t m = 0; m < level.size(); ++m) expected += level.world_rank(m);
      EXPECT_EQ(level.allreduce(acre::rank()), expected);
      level.barrier();
    }
  }
}

TEST(Team, MemoryOfDroppedTeamsComesBack) {
  acre::barrier();
  static_cast<void>(acre::world().split(0));
  acre::barrier();
  static_cast<void>(acre::world().split(0));
  const std::size_t before = acre::runtime::segment_free().private_part;
  for (int i = 0; i < 200; ++i) {
    const acre::team brief = acre::world().split(static_cast<int>(acre::rank() % 3));
    EXPECT_EQ(brief.allreduce(1U), brief.size());
  }
  acre::barrier();
  static_cast<void>(acre::world().split(0));
  const std::size_t block = acre::global::node_link::block_bytes(acre::size());
  EXPECT_LT(before, acre::runtime::segment_free().private_part + 20 * block);
}

TEST(Team, AHandleKeepsTheTeamAliveWhileAFutureNeedsIt) {
  acre::future<rank_t> pending;
  {
    const acre::team brief = acre::world().split(0);
    pending = brief.allreduce_async(rank_t{1});
  }
  EXPECT_EQ(pending.get(), acre::size());
}

TEST(Team, TwoThreadsSplitAndUseDifferentTeamsAtOnce) {
  const std::array parents{acre::world().split(0), acre::world().split(0)};
  std::array<std::vector<acre::team>, 2> made;
  std::array<std::string, 2> failures;
  const auto work = [&](std::size_t which) {
    const int mine = which == 0 ? 1 : 1000;
    try {
      for (int round = 0; round < rounds(1000) + 30; ++round) {
        const acre::team brief = parents[which].split(0);
        if (round % 8 == 0) made[which].push_back(brief);
        for (int i = 0; i < 5 && failures[which].empty(); ++i) {
          const int sum = brief.allreduce_async(mine).get();
          if (sum != mine * static_cast<int>(brief.size())) {
            failures[which] = "the sum is of another team: " + std::to_string(sum);
          }
          brief.barrier();
        }
      }
    } catch (const std::exception& problem) {
      failures[which] = problem.what();
    }
  };
  std::thread other([&] { work(1); });
  work(0);
  other.join();
  EXPECT_EQ(failures[0], "");
  EXPECT_EQ(failures[1], "");
}

TEST(Barrier, SmokeNobodyLeavesBeforeAllHaveArrived) {
  const shared_words counters;
  const rank_t next = (acre::rank() + 1) % acre::size();
  const int count = rounds(3000);
  for (int round = 1; round <= count; ++round) {
    *counters[acre::rank()].local() = static_cast<std::uint64_t>(round);
    acre::barrier();
    const std::uint64_t seen = acre::get(counters[next]);
    ASSERT_GE(seen, static_cast<std::uint64_t>(round));
    ASSERT_LE(seen, static_cast<std::uint64_t>(round) + 1);
  }
}

TEST(Barrier, SmokePutsBeforeItAreSeenAfterIt) {
  const shared_words words;
  const rank_t next = (acre::rank() + 1) % acre::size();
  const int count = rounds(3000);
  for (int round = 1; round <= count; ++round) {
    const auto value = static_cast<std::uint64_t>(round) * 1000;
    acre::put_nbi(words[next], value + acre::rank());
    acre::barrier();
    const rank_t previous = (acre::rank() + acre::size() - 1) % acre::size();
    ASSERT_EQ(*words[acre::rank()].local(), value + previous);
    acre::barrier();
  }
}

TEST(Barrier, HoldsForAHundredThousandTimes) {
  const int count = rounds(100'000);
  const auto before = acre::counters();
  for (int round = 0; round < count; ++round) acre::barrier();
#if ACRE_COUNTERS
  EXPECT_EQ((acre::counters() - before).barriers, static_cast<std::uint64_t>(count));
#endif
}

TEST(Barrier, HoldsWithSubTeamsInBetween) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  const shared_words counters;
  for (int round = 1; round <= rounds(1000); ++round) {
    *counters[acre::rank()].local() = static_cast<std::uint64_t>(round);
    half.barrier();
    for (rank_t m = 0; m < half.size(); ++m) {
      ASSERT_GE(acre::get(counters[half.world_rank(m)]), static_cast<std::uint64_t>(round));
    }
    if (round % 10 == 0) acre::barrier();
  }
}

TEST(Barrier, AsyncIsReadyOnlyWhenAllHaveStartedIt) {
  const shared_words counters;
  for (int round = 1; round <= rounds(1000); ++round) {
    *counters[acre::rank()].local() = static_cast<std::uint64_t>(round);
    acre::future<> all_here = acre::world().barrier_async();
    all_here.wait();
    for (rank_t r = 0; r < acre::size(); ++r) {
      ASSERT_GE(acre::get(counters[r]), static_cast<std::uint64_t>(round));
    }
  }
}

}  // namespace
