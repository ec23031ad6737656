// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/balance.hpp>
#include <acre/agas/imbalance_watch.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/network_order.hpp>
#include <acre/global/team/drain.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <vector>

namespace {

struct burden {
  double weight = 1;
  int arrivals = 0;
  friend auto acre_fields(burden& b) { return std::tie(b.weight, b.arrivals); }
  friend void acre_after_move(burden& b) { ++b.arrivals; }
};

TEST(BalanceSmoke, MovesObjectsAsTheBalancerSays) {
  std::vector<acre::object_load<burden>> mine;
  if (acre::rank() == 0) {
    for (unsigned i = 0; i < 8 * acre::size(); ++i) {
      mine.push_back({acre::create_id_here<burden>(), 1.0, i});
    }
  }
  const acre::balance_report done = acre::balance(mine, acre::curve_balancer{});
  EXPECT_EQ(done.before, acre::size());
  EXPECT_EQ(done.after, 1);
  EXPECT_EQ(done.moves, 8 * (acre::size() - 1));
  for (std::size_t i = 0; i < mine.size(); ++i) {
    EXPECT_EQ(acre::is_here(mine[i].object), i < 8);
    EXPECT_EQ(acre::invoke(mine[i].object, &burden::arrivals).get(), i < 8 ? 0 : 1);
    acre::destroy(mine[i].object).get();
  }
  acre::barrier();
}

TEST(Balance, RefusesWhatABalancerSaysOfOtherRanks) {
  const auto nowhere = [](std::span<const acre::weighed_object> all, acre::rank_t ranks) {
    return std::vector<acre::rank_t>(all.size() + 1, ranks);
  };
  EXPECT_THROW(static_cast<void>(acre::decide_balance({}, nowhere)), acre::error);
  acre::barrier();
}

TEST(Balance, RefusesLoadsThatAreNone) {
  const double loads[] = {-1, std::nan(""), std::numeric_limits<double>::infinity()};
  for (const double load : loads) {
    const bool has_one = acre::rank() == acre::size() - 1;
    const std::vector<acre::weighed_object> mine(has_one ? 1 : 0, {.load = load});
    EXPECT_THROW(static_cast<void>(acre::decide_balance(mine, acre::curve_balancer{})),
                 acre::error);
  }
  acre::barrier();
}

struct rooted {
  int value = 0;
  friend auto acre_fields(rooted& r) { return std::tie(r.value); }
  friend bool acre_before_move(rooted& r, acre::rank_t /*to*/) { return r.value == 0; }
};

TEST(Balance, SaysWhichObjectHasNotMovedAndMovesTheOthers) {
  std::vector<acre::object_load<rooted>> mine;
  if (acre::rank() == 0) {
    for (unsigned i = 0; i < acre::size(); ++i) {
      mine.push_back({acre::create_id_here<rooted>(rooted{i == 1 ? 7 : 0}), 1.0, i});
    }
  }
  if (acre::rank() == 0 && acre::size() > 1) {
    EXPECT_THROW(acre::balance(mine, acre::curve_balancer{}), acre::error);
  } else {
    EXPECT_NO_THROW(acre::balance(mine, acre::curve_balancer{}));
  }
  for (std::size_t i = 0; i < mine.size(); ++i) {
    EXPECT_EQ(acre::is_here(mine[i].object), i < 2);
    acre::destroy(mine[i].object).get();
  }
  acre::barrier();
}

TEST(NetworkOrder, IsAnOrderOfAllRanksTheSameOnAll) {
  std::vector<acre::rank_t> order = acre::ranks_along_network();
  for (const acre::rank_t each : order) EXPECT_EQ(acre::world().broadcast(each, 0), each);
  std::ranges::sort(order);
  std::vector<acre::rank_t> all(acre::size());
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(order, all);
}

TEST(ImbalanceWatch, IsDueWhenWaitingHasCostMoreThanMoving) {
  if (acre::size() == 1) return;
  const double others = acre::size() - 1;
  acre::imbalance_watch watch(2 * others / acre::size());
  const double mine = acre::rank() == 0 ? 3 : 2;
  EXPECT_FALSE(watch.is_due(mine));
  EXPECT_NEAR(watch.lost(), others / acre::size(), 1e-12);
  EXPECT_FALSE(watch.is_due(2));
  EXPECT_TRUE(watch.is_due(acre::rank() == 0 ? 3.5 : 2));
  watch.balance(std::vector<acre::object_load<burden>>(), acre::curve_balancer{});
  EXPECT_EQ(watch.lost(), 0);
  EXPECT_GT(watch.cost(), 0);
  EXPECT_EQ(acre::world().broadcast(watch.cost(), 0), watch.cost());
}

}  // namespace
