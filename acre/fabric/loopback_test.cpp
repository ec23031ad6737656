// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/loopback.hpp>

#include <acre/base/error.hpp>
#include <acre/fabric/conformance_test.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace acre::fabric {
namespace {

struct ranks_on_a_wire {
  explicit ranks_on_a_wire(const loopback_limits& limits = {})
      : wire(std::make_shared<loopback_wire>(limits)), job(open(wire)) {}

  static std::vector<std::unique_ptr<conduit>> open(const std::shared_ptr<loopback_wire>& on) {
    std::vector<std::unique_ptr<conduit>> ranks;
    for (rank_t rank = 0; rank < 3; ++rank) {
      ranks.push_back(
          std::make_unique<loopback>(conduit_options{.self = rank, .size = 3, .session = on}));
    }
    return ranks;
  }

  bool put(rank_t target, std::uint64_t value) {
    return job.ranks[0]->try_put(target, segment_region, 0, &value, sizeof value);
  }

  std::shared_ptr<loopback_wire> wire;
  connected_ranks job;
};

TEST(Loopback, IsAMirrorWhereRanksHaveOneDescriptor) {
  const auto wire = std::make_shared<loopback_wire>();
  loopback self({.size = 3, .session = wire});
  std::vector<std::uint64_t> memory(16);
  self.register_region(segment_region, memory.data(), memory.size() * 8);
  self.connect(0, std::vector(3, self.descriptor()));
  kept_messages box;
  const std::uint64_t value = 7;
  ASSERT_TRUE(self.try_put(2, segment_region, 8, &value, 8));
  for (rank_t to = 0; to < 3; ++to) {
    ASSERT_TRUE(self.try_send(to, {.source = 0, .tag = to}, nullptr, nullptr));
  }
  while (box.messages.size() < 3 || self.completed() != self.issued()) self.progress(box);
  EXPECT_EQ(memory[1], 7U);
  for (rank_t from = 0; from < 3; ++from) {
    EXPECT_EQ(box.messages[from].header.source, from);
    EXPECT_EQ(box.messages[from].header.tag, from);
  }
}

TEST(Loopback, LosesARankInSilence) {
  ranks_on_a_wire all;
  all.wire->lose({.rank = 1, .after = 2, .how = loopback_loss::way::silent});
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(all.put(1, 5));
  ASSERT_TRUE(all.put(2, 6));
  ASSERT_TRUE(all.job.ranks[0]->try_send(1, {}, nullptr, nullptr));
  for (int i = 0; i < 50; ++i) all.job.pump();
  EXPECT_EQ(all.wire->stuck(), 4U);
  EXPECT_EQ(all.job.ranks[0]->issued() - all.job.ranks[0]->completed(), 4U);
  EXPECT_EQ(static_cast<int>(all.job.memory[2][0]), 6) << "others are not lost";
  EXPECT_TRUE(all.job.boxes[1].messages.empty());
}

TEST(Loopback, RefusesALostRankByName) {
  ranks_on_a_wire all;
  all.wire->lose({.rank = 1, .after = 1, .how = loopback_loss::way::refuses});
  ASSERT_TRUE(all.put(1, 5));
  try {
    static_cast<void>(all.put(1, 5));
    FAIL() << "it was taken";
  } catch (const error& failure) {
    EXPECT_NE(std::string(failure.what()).find("rank 1"), std::string::npos) << failure.what();
  }
  EXPECT_THROW(static_cast<void>(all.job.ranks[2]->try_send(1, {}, nullptr, nullptr)), error);
  EXPECT_TRUE(all.put(2, 6));
}

TEST(Loopback, ReportsALossToWhoAsksForProgress) {
  ranks_on_a_wire all;
  ASSERT_TRUE(all.put(1, 5));
  all.wire->lose({.rank = 1, .how = loopback_loss::way::breaks_progress});
  kept_messages box;
  for (int i = 0; i < 3; ++i) EXPECT_THROW(all.job.ranks[0]->progress(box), error);
  EXPECT_THROW(all.job.ranks[0]->flush(), error);
  all.job.ranks[0]->wait(5 * 60'000);
}

TEST(Loopback, CompletesLateWhatWasUnderWayWhenToldTo) {
  ranks_on_a_wire all;
  struct told : operation {
    int completions = 0;
  } done;
  done.complete = [](operation& each) noexcept { ++static_cast<told&>(each).completions; };
  std::uint64_t value = 3;
  ASSERT_TRUE(all.job.ranks[0]->try_put(1, segment_region, 0, &value, 8, done));
  all.wire->lose({.rank = 1, .how = loopback_loss::way::breaks_progress});
  kept_messages box;
  EXPECT_THROW(all.job.ranks[0]->progress(box), error);
  EXPECT_EQ(done.completions, 0);
  EXPECT_EQ(all.wire->complete_late(), 1U);
  EXPECT_EQ(done.completions, 1);
  EXPECT_EQ(all.wire->complete_late(), 0U);
}

TEST(Loopback, FollowsItsSeed) {
  const auto refusals = [](std::uint64_t seed) {
    ranks_on_a_wire all({.transfers = 1000});
    all.wire->set({.seed = seed, .refuse_share = 0.5});
    std::vector<bool> taken;
    for (int i = 0; i < 100; ++i) taken.push_back(all.put(1, 5));
    return taken;
  };
  EXPECT_EQ(refusals(1), refusals(1));
  EXPECT_NE(refusals(1), refusals(2));
}

}  // namespace
}  // namespace acre::fabric
