// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/global/team/pairwise_barrier.hpp>
#include <acre/global/team/symmetric_array.hpp>
#include <acre/runtime/counters.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::pairwise_barrier;
using acre::rank_t;

std::uint64_t many_rounds() { return acre::node().size() == acre::size() ? 200 : 60; }

TEST(PairwiseBarrierSmoke, ShowsBothWhatTheOtherWrote) {
  const rank_t me = acre::rank();
  const rank_t left = (me + acre::size() - 1) % acre::size();
  const rank_t right = (me + 1) % acre::size();
  std::vector<rank_t> both{left, right};
  if (left == right) both.pop_back();
  pairwise_barrier edges(acre::world());
  acre::symmetric_array<std::uint64_t> box(acre::world(), 2);
  std::uint64_t wrong = 0;
  for (std::uint64_t round = 1; round <= many_rounds(); ++round) {
    acre::put_nbi(box.pointer(left) + 1, round + me);
    acre::put_nbi(box.pointer(right), round + me);
    edges.sync(both);
    wrong += box.local()[0] == round + left && box.local()[1] == round + right ? 0 : 1;
    edges.sync(both);
  }
  EXPECT_EQ(wrong, 0U);
}

TEST(PairwiseBarrier, MeetsOneAfterTheOtherInAnyPairs) {
  pairwise_barrier edges(acre::world());
  std::minstd_rand draw(7);
  std::vector<std::uint64_t> met(acre::size());
  acre::symmetric_array<std::uint64_t> seen(acre::world(), acre::size());
  std::uint64_t wrong = 0;
  for (std::uint64_t round = 0; round < many_rounds(); ++round) {
    const auto a = static_cast<rank_t>(draw() % acre::size());
    const auto b = static_cast<rank_t>(draw() % acre::size());
    if (a == b || (acre::rank() != a && acre::rank() != b)) continue;
    const rank_t other = acre::rank() == a ? b : a;
    ++met[other];
    acre::put(seen.pointer(other) + static_cast<std::ptrdiff_t>(acre::rank()), met[other]);
    edges.sync(other);
    wrong +=
        acre::get(seen.pointer(acre::rank()) + static_cast<std::ptrdiff_t>(other)) - met[other] <= 1
            ? 0
            : 1;
  }
  EXPECT_EQ(wrong, 0U);
  acre::barrier();
}

TEST(PairwiseBarrier, TakesListsInAnyOrderAndItself) {
  const acre::team half = acre::world().split(static_cast<int>(acre::rank() % 2));
  pairwise_barrier edges(half);
  std::vector<rank_t> all;
  for (rank_t i = 0; i < half.size(); ++i) all.push_back((i + half.rank()) % half.size());
  for (int round = 0; round < 20; ++round) {
    edges.sync(all);
    edges.sync({half.rank()});
    edges.sync(std::vector<rank_t>());
    if (half.size() > 1 && half.rank() < 2) edges.sync(half[1 - half.rank()]);
  }
}

TEST(PairwiseBarrier, RefusesWhoIsNotThereAndTwice) {
  pairwise_barrier none;
  EXPECT_THROW(none.sync(0), acre::error);
  pairwise_barrier edges(acre::world());
  EXPECT_THROW(edges.sync(acre::size()), acre::error);
  EXPECT_THROW(edges.sync({0, 0}), acre::error);
  EXPECT_THROW(edges.sync({acre::rank(), acre::size()}), acre::error);
  std::vector<rank_t> all;
  for (rank_t i = 0; i < acre::size(); ++i) all.push_back(i);
  edges.sync(all);
  none = std::move(edges);
  none.sync(all);
}

TEST(PairwiseBarrier, CostsAnAtomicForEach) {
  pairwise_barrier edges(acre::world());
  std::vector<rank_t> all;
  for (rank_t i = 0; i < acre::size(); ++i) all.push_back(i);
  const auto before = acre::counters();
  edges.sync(all);
  const auto spent = acre::counters() - before;
  EXPECT_EQ(spent.atomics, acre::size() - 1);
  EXPECT_EQ(spent.reads + spent.writes + spent.barriers, 0U);
  acre::barrier();
}

TEST(PairwiseBarrier, IsAnErrorForThoseWhoWaitForOneThatHasLeft) {
  if (acre::size() == 1) return;
  const acre::team all = acre::world().split(0);
  const rank_t last = acre::size() - 1;
  std::string told;
  try {
    pairwise_barrier edges(all);
    if (acre::rank() == last) throw std::runtime_error("met by the last");
    edges.sync(last);
  } catch (const acre::error& failed) {
    told = failed.problem();
  } catch (const std::runtime_error&) {
    told = "member " + std::to_string(last) + " has left by an exception";
  }
  EXPECT_EQ(told, "member " + std::to_string(last) + " has left by an exception");
  acre::barrier();
}

}  // namespace
