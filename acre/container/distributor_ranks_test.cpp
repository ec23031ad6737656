// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/container/common_seed_test.hpp>
#include <acre/container/distributor.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/memory.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using acre::distributor;
using acre::rank_t;
using acre::base_test::failure_of;
using acre::testing::common_seed;

int steps(int in_a_node) { return acre::runtime::node_count() == 1 ? in_a_node : in_a_node / 10; }

struct item {
  rank_t from;
  rank_t to;
  std::uint64_t number;
};

TEST(DistributorSmoke, BringsEverythingToItsRank) {
  distributor<item> all(acre::world());
  for (int round = 0; round < 3; ++round) {
    for (rank_t to = 0; to < acre::size(); ++to) {
      for (std::uint64_t i = 0; i < 100 + to; ++i) all.push(to, {acre::rank(), to, i});
    }
    std::vector<std::uint64_t> sums(acre::size());
    const std::size_t items = all.finish([&](const item& each) {
      EXPECT_EQ(each.to, acre::rank());
      sums[each.from] += each.number + 1;
    });
    const std::uint64_t mine = 100 + acre::rank();
    EXPECT_EQ(items, mine * acre::size());
    for (const std::uint64_t sum : sums) EXPECT_EQ(sum, mine * (mine + 1) / 2);
  }
}

struct tally {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  void add(std::uint64_t value) {
    ++count;
    sum += acre::mix_bits(value);
  }
  friend bool operator==(const tally&, const tally&) = default;
};

void check_tallies(const std::vector<tally>& pushed, const std::vector<tally>& received) {
  EXPECT_EQ(acre::world().alltoall(std::span(pushed)), received);
}

TEST(Distributor, LosesAndRepeatsNothing) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  for (const std::size_t memory : {std::size_t{0}, std::size_t{20'000}, std::size_t{1} << 22}) {
    distributor<item> all(acre::world(), memory);
    for (int round = 0; round < 6; ++round) {
      std::vector<tally> pushed(acre::size());
      std::vector<tally> received(acre::size());
      const auto take = [&](const item& each) {
        ASSERT_EQ(each.to, acre::rank());
        received[each.from].add(each.number);
      };
      const auto receive_batch = [&](std::span<const item> batch) {
        for (const item& each : batch) take(each);
      };
      const int pushes = static_cast<int>(random() % static_cast<std::uint64_t>(steps(3000)));
      for (int i = 0; i < pushes; ++i) {
        const auto to = static_cast<rank_t>(random() % acre::size());
        if (random() % 16 != 0) {
          const std::uint64_t number = random();
          all.push(to, {acre::rank(), to, number});
          pushed[to].add(number);
        } else {
          std::vector<item> many(random() % 2000);
          for (item& each : many) {
            each = {acre::rank(), to, random()};
            pushed[to].add(each.number);
          }
          all.push(to, many);
        }
        if (random() % 64 == 0) all.receive(take);
        if (random() % 512 == 0) all.flush();
        if (random() % 1024 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
      if (random() % 2 == 0) {
        all.finish(take);
      } else {
        all.finish(receive_batch);
      }
      check_tallies(pushed, received);
    }
  }
}

TEST(Distributor, PassesStringsOfAnyLength) {
  const std::uint64_t seed = common_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed + acre::rank());
  const std::size_t free_before = acre::runtime::segment_free().private_part;
  acre::barrier();
  {
    distributor<std::pair<rank_t, std::string>> all(acre::world(), 100'000);
    for (int round = 0; round < 2; ++round) {
      std::vector<tally> pushed(acre::size());
      std::vector<tally> received(acre::size());
      const auto value_of = [](const std::string& text) {
        return text.size() * 256 + (text.empty() ? 0 : static_cast<unsigned char>(text[0]));
      };
      for (int i = 0; i < steps(1000); ++i) {
        const auto to = static_cast<rank_t>(random() % acre::size());
        const std::size_t length = random() % 64 == 0 ? random() % 100'000 : random() % 100;
        const std::string text(length, static_cast<char>('a' + random() % 26));
        all.push(to, {acre::rank(), text});
        pushed[to].add(value_of(text));
      }
      all.finish([&](const std::pair<rank_t, std::string>& each) {
        EXPECT_EQ(each.second.find_first_not_of(each.second.substr(0, 1)), std::string::npos);
        received[each.first].add(value_of(each.second));
      });
      check_tallies(pushed, received);
    }
  }
  acre::barrier();
  EXPECT_EQ(acre::runtime::segment_free().private_part, free_before);
}

template <std::size_t Bytes>
struct sized {
  std::array<unsigned char, Bytes> bytes;
};

template <std::size_t Bytes>
void pass_items_of_size() {
  distributor<sized<Bytes>> all(acre::world());
  for (rank_t to = 0; to < acre::size(); ++to) {
    sized<Bytes> each;
    each.bytes.fill(static_cast<unsigned char>(acre::rank() + 10 * to));
    for (int i = 0; i < 10; ++i) all.push(to, each);
  }
  std::uint64_t whole = 0;
  EXPECT_EQ(all.finish([&](const sized<Bytes>& each) {
    bool same = each.bytes[0] / 10 == acre::rank() || each.bytes[0] % 10 < acre::size();
    for (const unsigned char byte : each.bytes) same = same && byte == each.bytes[0];
    whole += same ? 1 : 0;
  }),
            10 * acre::size());
  EXPECT_EQ(whole, 10 * acre::size());
}

TEST(Distributor, PassesItemsOfAnySize) {
  pass_items_of_size<7>();
  pass_items_of_size<4096>();
  pass_items_of_size<200'000>();
}

TEST(Distributor, StopsNobodyWhenARankDoesNotReceive) {
  // The others send more to rank 0 than rings and buffers hold.
  distributor<std::uint64_t> all(acre::world(), 50'000);
  const auto each = static_cast<std::uint64_t>(steps(300'000));
  if (acre::rank() != 0 || acre::size() == 1) {
    for (std::uint64_t i = 0; i < each; ++i) all.push(0, i);
  }
  acre::barrier();
  std::uint64_t sum = 0;
  const std::size_t items = all.finish([&](std::uint64_t value) { sum += value; });
  const std::uint64_t senders = acre::size() == 1 ? 1 : acre::size() - 1;
  EXPECT_EQ(items, acre::rank() == 0 ? senders * each : 0);
  EXPECT_EQ(sum, acre::rank() == 0 ? senders * (each * (each - 1) / 2) : 0);
}

TEST(Distributor, LetsReceiversPushOn) {
  struct hop {
    std::uint32_t left;
  };
  distributor<hop> all(acre::world());
  const rank_t next = (acre::rank() + 1) % acre::size();
  std::uint64_t arrived = 0;
  all.push(next, {20});
  all.flush();
  const auto begin = std::chrono::steady_clock::now();
  while (arrived < 21 && std::chrono::steady_clock::now() - begin < std::chrono::seconds(30)) {
    all.receive([&](hop each) {
      ++arrived;
      if (each.left != 0) all.push(next, {each.left - 1});
    });
    all.flush();
  }
  EXPECT_EQ(arrived, 21U);
  EXPECT_EQ(all.finish([](hop) {}), 0U);
  all.push(next, {0});
  EXPECT_EQ(all.finish([&](hop) {
    EXPECT_NE(failure_of([&] { all.push(next, {0}); }).find("round is over"), std::string::npos);
  }),
            1U);
}

TEST(Distributor, GoesOnAfterAReceiverHasThrown) {
  distributor<std::uint64_t> numbers(acre::world());
  distributor<std::string> texts(acre::world());
  for (rank_t to = 0; to < acre::size(); ++to) {
    for (std::uint64_t i = 0; i < 100; ++i) {
      numbers.push(to, i);
      texts.push(to, std::to_string(i));
    }
  }
  int calls = 0;
  const auto throw_sometimes = [&](const auto&) {
    if (++calls % 37 == 0) throw std::runtime_error("no");
  };
  const auto finish = [&](auto& all) {
    for (;;) {
      try {
        all.finish(throw_sometimes);
        return;
      } catch (const std::runtime_error&) {
        continue;
      }
    }
  };
  finish(numbers);
  EXPECT_EQ(calls, static_cast<int>(100 * acre::size()));
  finish(texts);
  EXPECT_EQ(calls, static_cast<int>(200 * acre::size()));
}

TEST(Distributor, NeedsNoBarrierAndFewMessages) {
  distributor<std::uint64_t> all(acre::world());
  acre::barrier();
  const auto before = acre::counters();
  constexpr std::uint64_t each = 10'000;
  for (std::uint64_t i = 0; i < each; ++i) {
    for (rank_t to = 0; to < acre::size(); ++to) all.push(to, i);
  }
  const auto pushed = acre::counters() - before;
  all.finish([](std::uint64_t) {});
  const auto used = acre::counters() - before;
  EXPECT_EQ(used.barriers, 0U);
  EXPECT_EQ(used.collectives, 1U);
  const std::uint64_t batches = (each * sizeof(std::uint64_t) / 1024 + 1) * (acre::size() - 1);
  EXPECT_LE(pushed.messages, batches);
  EXPECT_LE(used.messages, batches + 8 * acre::size());
}

TEST(Distributor, BelongsToATeamAndMoves) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  distributor<std::uint64_t> none;
  EXPECT_NE(failure_of([&] { none.push(0, 1); }).find("distributor{"), std::string::npos);
  distributor<std::uint64_t> made(half);
  for (rank_t to = 0; to < half.size(); ++to) {
    if (to % 2 == 0) {
      made.push(to, acre::rank());
    } else {
      made.push(acre::world()[half.world_rank(to)], acre::rank());
    }
  }
  none = std::move(made);
  std::uint64_t sum = 0;
  EXPECT_EQ(none.finish([&](std::uint64_t each) {
    EXPECT_EQ(each % 2, acre::rank() % 2);
    sum += half.member(static_cast<rank_t>(each)).value();
  }),
            half.size());
  EXPECT_EQ(sum, half.size() * (half.size() - 1) / 2);
  EXPECT_NE(failure_of([&] { none.push(half.size(), 1); }).find(" does not exist in a team of "),
            std::string::npos);
}

TEST(Distributor, EndsWhereAReceiverHasThrownOnOneRankOnly) {
  for (const rank_t thrower : {rank_t{0}, acre::size() - 1}) {
    distributor<std::string> all(acre::world());
    for (rank_t to = 0; to < acre::size(); ++to) all.push(to, "a");
    int thrown = 0;
    try {
      all.finish([&](const std::string&) {
        if (acre::rank() == thrower) throw std::runtime_error("no");
      });
    } catch (const std::runtime_error&) {
      ++thrown;
    }
    EXPECT_EQ(thrown, acre::rank() == thrower ? 1 : 0);
  }
}

TEST(Distributor, EndsInAnyOrderWithWhatNobodyWants) {
  const std::size_t free_before = acre::runtime::segment_free().private_part;
  const acre::runtime::failures_held until_all_are_counted;
  acre::barrier();
  for (int i = 0; i < 3; ++i) {
    auto first = std::make_unique<distributor<sized<7>>>(acre::world());
    auto second = std::make_unique<distributor<std::string>>(acre::world(), 5000);
    for (rank_t to = 0; to < acre::size(); ++to) {
      for (int each = 0; each < 4300; ++each) first->push(to, sized<7>{});
      second->push(to, std::string(50'000, 'x'));
    }
    if (i == 1) second->finish([](const std::string&) {});
    first.reset();
    second.reset();
  }
  acre::barrier();
  EXPECT_EQ(acre::runtime::segment_free().private_part, free_before);
  int losses = 0;
  while (acre::runtime::pop_lost_failure() != nullptr) ++losses;
  EXPECT_EQ(losses, 3 + 2);
}

TEST(Distributor, SaysWhatIsLostWithoutAnEndOfTheRound) {
  std::optional made = distributor<std::uint64_t>(acre::world());
  const bool pushes = acre::rank() == 0;
  if (pushes) made->push(acre::size() - 1, 1);
  made.reset();
  const std::string lost = failure_of([] { acre::barrier(); });
  EXPECT_EQ(lost.find("1 items of 8 B pushed by this rank are lost") != std::string::npos, pushes)
      << lost;
  EXPECT_EQ(lost.find("distributor_ranks_test.cpp:") != std::string::npos, pushes) << lost;
}

TEST(Distributor, SaysNothingOfALossWhenTheRoundHasEnded) {
  {
    distributor<std::uint64_t> all(acre::world());
    all.push(0, 1);
    all.finish([](std::uint64_t) {});
  }
  EXPECT_EQ(failure_of([] { acre::barrier(); }), "");
}

TEST(Distributor, SaysNothingOfALossWhileAnExceptionPasses) {
  if (acre::size() != 1) return;
  try {
    distributor<std::uint64_t> all(acre::world());
    all.push(0, 1);
    throw std::runtime_error("no");
  } catch (const std::runtime_error&) {
    EXPECT_FALSE(acre::runtime::has_lost_failure());
  }
}

TEST(Distributor, NamesItsMakingWhenAnotherMemberDoesNotCome) {
  if (acre::size() == 1) return;
  const acre::team team = acre::world().split(0);
  std::string call;
  std::string problem;
  try {
    if (team.rank() == 0) {
      team.barrier();
    } else {
      const distributor<std::uint64_t> all(team);
    }
  } catch (const acre::error& failure) {
    call = failure.call();
    problem = failure.problem();
  }
  EXPECT_EQ(call, team.rank() == 0 ? "barrier" : "distributor");
  EXPECT_NE(problem.find("distributor_ranks_test.cpp:"), std::string::npos) << problem;
}

}  // namespace
