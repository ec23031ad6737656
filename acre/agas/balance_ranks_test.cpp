#include <acre/agas/balance.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/global/drain.hpp>

#include <gtest/gtest.h>

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

}  // namespace
