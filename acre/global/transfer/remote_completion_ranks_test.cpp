// SPDX-License-Identifier: BSD-3-Clause
// Puts and copies with a function at the target, and puts with a signal.
#include <acre/base/error.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/put_signal.hpp>
#include <acre/global/memory/symmetric_room_test.hpp>
#include <acre/global/team/allocate.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/transfer/put_then.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/runtime/wait.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace {

using acre::everywhere;
using acre::next_rank;
using acre::previous_rank;

using acre::global_ptr;
using acre::then_at_target;

bool next_is_on_another_node() {
  return acre::runtime::node_of(next_rank()) != acre::runtime::node_of(acre::rank());
}

int calls = 0;
long seen = 0;
std::string told;

void await_calls(int wanted) {
  acre::runtime::wait_until([wanted] { return calls >= wanted; }, "calls");
}

class RemoteCompletion : public testing::Test {
 protected:
  RemoteCompletion() {
    calls = 0;
    seen = 0;
    told.clear();
    acre::barrier();
  }
  ~RemoteCompletion() override { acre::barrier(); }
};

void add_up(global_ptr<long> values, std::size_t count) {
  const long* const mine = values.local();
  seen = std::accumulate(mine, mine + count, seen);
  ++calls;
}

TEST_F(RemoteCompletion, SmokeRunsAFunctionWhereTheDataIs) {
  const everywhere<long> slot(1);
  const auto target = slot.on(next_rank());
  acre::put(target, long{acre::rank()} + 1,
            then_at_target(
                [](global_ptr<long> p, const std::string& text) {
                  seen = *p.local();
                  told = text;
                  ++calls;
                },
                target, "there"));
  await_calls(1);
  EXPECT_EQ(seen, long{previous_rank()} + 1);
  EXPECT_EQ(told, "there");
}

TEST_F(RemoteCompletion, BringsSpansOfAllSizes) {
  constexpr std::size_t most = 100'000;
  const everywhere<long> room(most);
  int expected = 0;
  long sum = 0;
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{120},
                                  std::size_t{1900}, std::size_t{2100}, most}) {
    std::vector<long> values(count);
    std::iota(values.begin(), values.end(), long{acre::rank()});
    const auto target = room.on(next_rank());
    acre::put(target, values, then_at_target(add_up, target, count));
    std::fill(values.begin(), values.end(), -1);
    await_calls(++expected);
    for (std::size_t i = 0; i < count; ++i) sum += long{previous_rank()} + static_cast<long>(i);
    ASSERT_EQ(seen, sum) << count;
    acre::barrier();
  }
}

TEST_F(RemoteCompletion, BringsArgumentsThatNoMessageCarries) {
  const everywhere<long> room(4);
  const std::vector<double> argument(30'000, 0.5);
  const auto target = room.on(next_rank());
  const std::array<long, 4> values{1, 2, 3, 4};
  acre::put(target, values,
            then_at_target(
                [](global_ptr<long> p, const std::vector<double>& many) {
                  add_up(p, 4);
                  seen += static_cast<long>(many.size());
                },
                target, argument));
  await_calls(1);
  EXPECT_EQ(seen, 30'010);
}

TEST_F(RemoteCompletion, BringsAValueThatNoMessageCarries) {
  struct large {
    std::array<long, 20'000> words{};
  };
  const everywhere<large> room(1);
  const auto target = room.on(next_rank());
  const auto value = std::make_unique<large>();
  value->words.fill(long{acre::rank()});
  acre::put(
      target, *value,
      then_at_target([](global_ptr<large> p) { ++calls, seen = p.local()->words.back(); }, target));
  await_calls(1);
  EXPECT_EQ(seen, long{previous_rank()});
}

TEST_F(RemoteCompletion, RunsInTheOrderOfIssueWithRpcs) {
  const everywhere<long> room(3000);
  const auto target = room.on(next_rank());
  const auto note = [](char letter) { told += letter, ++calls; };
  const std::vector<long> large(3000, 1);
  acre::rpc_ff(next_rank(), note, 'a');
  acre::put(target, 1L, then_at_target(note, 'b'));
  acre::rpc_ff(next_rank(), note, 'c');
  acre::put(target, large, then_at_target(note, 'd'));
  acre::put(target, 2L, then_at_target(note, 'e'));
  acre::rpc_ff(next_rank(), note, 'f');
  await_calls(6);
  EXPECT_EQ(told, "abcdef");
}

template <class Call>
acre::operation_counts costs(Call&& call) {
  const auto before = acre::counters();
  call();
  return acre::counters() - before;
}

TEST_F(RemoteCompletion, IsOneTripWhereAPutAndAnRpcAreTwo) {
  const everywhere<long> room(64);
  if (acre::rank() == 0) {
    const auto target = room.on(next_rank());
    const std::array<long, 64> values{};
    const auto count = [](int) { ++calls; };
    const auto together = costs([&] { acre::put(target, values, then_at_target(count, 1)); });
    const auto one_by_one = costs([&] {
      acre::put(target, values);
      acre::rpc_ff(next_rank(), count, 1);
    });
#if ACRE_COUNTERS
    const bool far = next_is_on_another_node();
    EXPECT_EQ(together.rpcs, 1U);
    EXPECT_EQ(together.messages, 1U);
    EXPECT_EQ(together.writes, far ? 0U : 1U);
    EXPECT_EQ(together.network_operations, 0U);
    EXPECT_EQ(one_by_one.messages, 1U);
    EXPECT_EQ(one_by_one.network_operations, far ? 1U : 0U);
#endif
  }
  if (previous_rank() == 0) await_calls(2);
}

TEST_F(RemoteCompletion, IsThereAfterQuietWhileTheTargetComputes) {
  const everywhere<long> room(1);
  for (long round = 1; round <= 20; ++round) {
    acre::put(room.on(next_rank()), round, then_at_target([] { ++calls; }));
    acre::quiet();
    EXPECT_EQ(acre::get(room.on(next_rank())), round);
  }
  acre::barrier();
  EXPECT_EQ(room.here()[0], 20);
  await_calls(20);
}

TEST_F(RemoteCompletion, IsThereAfterABarrierFromAllToAll) {
  const auto ranks = acre::size();
  const everywhere<long> room(ranks);
  for (int round = 1; round <= 5; ++round) {
    for (acre::rank_t to = 0; to < ranks; ++to) {
      acre::put(room.on(to) + acre::rank(), long{round}, then_at_target([] { ++calls; }));
    }
    acre::barrier();
    for (acre::rank_t from = 0; from < ranks; ++from) EXPECT_EQ(room.here()[from], round);
    acre::barrier();
  }
  await_calls(5 * static_cast<int>(ranks));
}

TEST_F(RemoteCompletion, MayBeNestedInAFunctionAtTheTarget) {
  const everywhere<long> room(2);
  acre::put(room.on(next_rank()), 5L,
            then_at_target(
                [](global_ptr<long> back) {
                  acre::put(back, 6L,
                            then_at_target(
                                [](global_ptr<long> p) {
                                  seen = *p.local();
                                  ++calls;
                                },
                                back));
                },
                room.on(acre::rank()) + 1));
  await_calls(1);
  EXPECT_EQ(seen, 6);
}

TEST_F(RemoteCompletion, FollowsCopies) {
  const everywhere<long> room(600);
  std::iota(room.here(), room.here() + 300, 0L);
  acre::barrier();
  acre::copy(room.on(previous_rank()), room.on(next_rank()) + 300, 300,
             then_at_target(add_up, room.on(next_rank()) + 300, std::size_t{300}));
  await_calls(1);
  EXPECT_EQ(seen, 300 * 299 / 2);
  acre::barrier();
  acre::copy(room.on(acre::rank()), room.on(next_rank()) + 300, 10,
             then_at_target(add_up, room.on(next_rank()) + 300, std::size_t{10}));
  await_calls(2);
  EXPECT_EQ(seen, 300 * 299 / 2 + 45);
}

TEST_F(RemoteCompletion, FollowsBoxes) {
  const everywhere<long> room(100);
  const std::vector<long> ones(20, 1);
  using extents = std::array<std::size_t, 2>;
  using strides = std::array<std::ptrdiff_t, 2>;
  const auto target = room.on(next_rank());
  acre::put_strided(target, extents{4, 5}, strides{20, 2}, ones.data(), strides{5, 1},
                    then_at_target(add_up, target, std::size_t{100}));
  await_calls(1);
  EXPECT_EQ(seen, 20);
}

std::uint64_t await_signal(std::uint64_t* word, std::uint64_t wanted) {
  const std::atomic_ref signal(*word);
  acre::runtime::wait_until([&] { return signal.load() >= wanted; }, "signal");
  return signal.load();
}

TEST_F(RemoteCompletion, SmokeASignalFollowsItsData) {
  const everywhere<long> room(40'000);
  const everywhere<std::uint64_t> signal(2);
  std::uint64_t round = 0;
  for (const std::size_t count : {std::size_t{1}, std::size_t{100}, std::size_t{40'000}}) {
    ++round;
    std::vector<long> values(count, static_cast<long>(round));
    acre::put_signal(room.on(next_rank()), values, signal.on(next_rank()), round);
    std::fill(values.begin(), values.end(), -1);
    EXPECT_EQ(await_signal(signal.here(), round), round);
    EXPECT_EQ(std::count(room.here(), room.here() + count, static_cast<long>(round)),
              static_cast<std::ptrdiff_t>(count));
    acre::barrier();
  }
}

TEST_F(RemoteCompletion, ASignalFollowsItsDataWithoutWaiting) {
  const everywhere<long> room(40'000);
  const everywhere<std::uint64_t> signal(1);
  const std::vector<long> many(30'000, 3);
  const std::vector<long> few(10, 4);
  acre::put_signal_nbi(room.on(next_rank()), many, signal.on(next_rank()), 1,
                       acre::signal_operation::add);
  acre::put_signal_nbi(room.on(next_rank()) + 30'000, few, signal.on(next_rank()), 1,
                       acre::signal_operation::add);
  acre::put_signal_nbi(room.on(next_rank()) + 30'010, 5L, signal.on(next_rank()), 1,
                       acre::signal_operation::add);
  EXPECT_EQ(await_signal(signal.here(), 3), 3U);
  EXPECT_EQ(std::count(room.here(), room.here() + 30'000, 3L), 30'000);
  EXPECT_EQ(std::count(room.here() + 30'000, room.here() + 30'010, 4L), 10);
  EXPECT_EQ(room.here()[30'010], 5);
  acre::quiet();
}

TEST_F(RemoteCompletion, SignalsAddUpFromAllRanks) {
  const auto ranks = acre::size();
  const everywhere<int> room(ranks);
  const everywhere<std::uint64_t> signal(1);
  for (acre::rank_t to = 0; to < ranks; ++to) {
    acre::put_signal(room.on(to) + acre::rank(), static_cast<int>(acre::rank()), signal.on(to), 2,
                     acre::signal_operation::add);
  }
  await_signal(signal.here(), 2 * ranks);
  for (acre::rank_t from = 0; from < ranks; ++from) {
    EXPECT_EQ(room.here()[from], static_cast<int>(from));
  }
  acre::barrier();
  EXPECT_EQ(signal.here()[0], 2 * ranks);
}

TEST_F(RemoteCompletion, ASignalIsOneMessage) {
  const everywhere<long> room(8);
  const everywhere<std::uint32_t> signal(1);
  if (acre::rank() == 0) {
    const std::array<long, 8> values{1, 2, 3};
    const auto spent =
        costs([&] { acre::put_signal(room.on(next_rank()), values, signal.on(next_rank()), 7); });
#if ACRE_COUNTERS
    EXPECT_EQ(spent.messages, next_is_on_another_node() ? 1U : 0U);
    EXPECT_EQ(spent.network_operations, 0U);
#endif
  }
  acre::barrier();
  if (previous_rank() == 0) {
    EXPECT_EQ(signal.here()[0], 7U);
    EXPECT_EQ(room.here()[2], 3);
  }
}

TEST_F(RemoteCompletion, BehindALargePutASignalIsAMessageThatNobodyAnswers) {
  const everywhere<long> room(40'000);
  const everywhere<std::uint64_t> signal(1);
  const std::vector<long> values(40'000, 6);
  if (acre::rank() == 0) {
    const auto spent = costs(
        [&] { acre::put_signal_nbi(room.on(next_rank()), values, signal.on(next_rank()), 9); });
#if ACRE_COUNTERS
    const bool is_far = next_is_on_another_node();
    if (!is_far || acre::runtime::world.conduit->offers().messages_follow_puts) {
      EXPECT_EQ(spent.messages, is_far ? 1U : 0U);
      EXPECT_EQ(spent.network_operations, is_far ? 1U : 0U);
    }
#endif
    acre::quiet();
  }
  if (previous_rank() == 0) {
    await_signal(signal.here(), 9);
    EXPECT_EQ(std::count(room.here(), room.here() + 40'000, 6L), 40'000);
  }
}

TEST_F(RemoteCompletion, ASignalIsAWordOfTheTarget) {
  if (acre::size() == 1) GTEST_SKIP() << "needs two ranks";
  const everywhere<long> room(1);
  const everywhere<std::uint64_t> signal(1);
  EXPECT_THROW(acre::put_signal(room.on(next_rank()), 1L, signal.on(acre::rank()), 1), acre::error);
  EXPECT_THROW(acre::put_signal_nbi(room.on(next_rank()), 1L, signal.on(acre::rank()), 1),
               acre::error);
}

}  // namespace
