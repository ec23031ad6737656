// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/balance.hpp>

#include <acre/agas/load_meter.hpp>
#include <acre/agas/network_order.hpp>
#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <random>
#include <vector>

namespace acre {
namespace {

using objects = std::vector<weighed_object>;

objects uneven(rank_t ranks, std::size_t each) {
  std::mt19937 random(7);
  objects all;
  for (std::size_t i = 0; i < ranks * each; ++i) {
    const auto owner = static_cast<rank_t>(i / each);
    const double load = (1 + static_cast<double>(random() % 100) / 100) * (owner == 0 ? 4 : 1);
    all.push_back({load, 10 * i, owner});
  }
  return all;
}

std::size_t moves(const objects& all, const std::vector<rank_t>& owners) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < all.size(); ++i) found += all[i].owner != owners[i];
  return found;
}

double before(const objects& all, rank_t ranks) {
  return imbalance(all, no_balancer{}(all, ranks), ranks);
}

TEST(Imbalance, IsTheLargestLoadByTheMean) {
  const objects all{{3, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(before(all, 2), 1.5);
  EXPECT_EQ(before(all, 4), 3);
  EXPECT_EQ(before({}, 4), 1);
}

TEST(GreedyBalancer, EvensLoadsAndMovesOnlyWhatIsTooMuch) {
  for (const rank_t ranks : {2U, 4U, 7U}) {
    const objects all = uneven(ranks, 40);
    const auto owners = greedy_balancer{}(all, ranks);
    EXPECT_GT(before(all, ranks), 1.5);
    EXPECT_LT(imbalance(all, owners, ranks), 1.1);
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_TRUE(all[i].owner == 0 || owners[i] == all[i].owner);
    }
  }
}

TEST(GreedyBalancer, MovesNothingWithinItsTolerance) {
  const objects all{{1.04, 0, 0}, {1, 0, 1}, {0, 0, 1}};
  EXPECT_EQ(moves(all, greedy_balancer{}(all, 2)), 0U);
}

TEST(GreedyBalancer, KeepsAnObjectThatIsMoreThanARanksPart) {
  const objects all{{10, 0, 0}, {1, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(greedy_balancer{}(all, 3), (std::vector<rank_t>{0, 1, 2}));
}

TEST(CurveBalancer, CutsTheCurveIntoPiecesOfEqualLoads) {
  for (const rank_t ranks : {1U, 2U, 4U, 7U}) {
    objects all = uneven(ranks, 40);
    EXPECT_TRUE(std::ranges::is_sorted(curve_balancer{}(all, ranks)));
    EXPECT_LT(imbalance(all, curve_balancer{}(all, ranks), ranks), 1.2);
    std::ranges::shuffle(all, std::mt19937(1));
    const auto owners = curve_balancer{}(all, ranks);
    std::vector<std::pair<std::uint64_t, rank_t>> by_place;
    for (std::size_t i = 0; i < all.size(); ++i) by_place.emplace_back(all[i].place, owners[i]);
    std::ranges::sort(by_place);
    EXPECT_TRUE(std::ranges::is_sorted(by_place, {}, [](const auto& each) { return each.second; }));
  }
}

TEST(CurveBalancer, MovesNothingWhereItHasCutBefore) {
  objects all = uneven(4, 40);
  const auto owners = curve_balancer{}(all, 4);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].owner = owners[i];
  EXPECT_EQ(moves(all, curve_balancer{}(all, 4)), 0U);
}

TEST(DiffusionBalancer, MovesToNeighboursAndComesToRest) {
  for (const rank_t ranks : {2U, 4U, 7U}) {
    objects all = uneven(ranks, 40);
    double last = before(all, ranks);
    for (int call = 0; call < 20; ++call) {
      const auto owners = diffusion_balancer{}(all, ranks);
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_LE(std::max(owners[i], all[i].owner) - std::min(owners[i], all[i].owner), 1U);
        all[i].owner = owners[i];
      }
      EXPECT_TRUE(std::ranges::is_sorted(owners));
    }
    EXPECT_LT(before(all, ranks), 1.2);
    EXPECT_LT(before(all, ranks), last);
  }
}

TEST(OrderedBalancer, TakesRanksInAnotherOrder) {
  const objects all{{1, 0, 0}, {1, 1, 1}, {1, 2, 2}};
  EXPECT_EQ(in_order(curve_balancer{}, {2, 0, 1})(all, 3), (std::vector<rank_t>{2, 0, 1}));
  const objects heavy{{1, 0, 0}, {1, 1, 0}, {1, 2, 0}, {1, 3, 0}};
  const auto owners = in_order(diffusion_balancer{}, {1, 2, 0})(heavy, 3);
  EXPECT_EQ(owners, (std::vector<rank_t>{2, 2, 2, 0}));
}

TEST(OrderedBalancer, RefusesWhatIsNoOrderOfAllRanks) {
  const objects all{{1, 0, 0}};
  for (const std::vector<rank_t>& order : {std::vector<rank_t>{0}, {0, 0}, {0, 2}, {0, 1, 1}}) {
    EXPECT_THROW(static_cast<void>(in_order(no_balancer{}, order)(all, 2)), error);
  }
}

TEST(Balancers, DecideWhereThereIsNothing) {
  EXPECT_TRUE(greedy_balancer{}({}, 3).empty());
  EXPECT_TRUE(curve_balancer{}({}, 3).empty());
  EXPECT_TRUE(diffusion_balancer{}({}, 3).empty());
}

TEST(TolerantBalancer, MovesNothingWhereLoadsAreEvenEnough) {
  const objects all{{11, 0, 0}, {1, 1, 0}, {10, 2, 1}, {1, 3, 1}};
  const tolerant_balancer<curve_balancer> patient;
  EXPECT_EQ(moves(all, patient(all, 2)), 0U);
  const objects worse{{11, 0, 0}, {2, 1, 0}, {10, 2, 1}};
  EXPECT_EQ(patient(worse, 2), curve_balancer{}(worse, 2));
  EXPECT_GT(moves(worse, patient(worse, 2)), 0U);
}

TEST(LoadMeter, TakesTheShortestPieceForAll) {
  using namespace std::chrono_literals;
  load_meter meter;
  EXPECT_EQ(meter.seconds(), 0);
  meter.add(4s, 2);
  meter.add(30s);
  meter.add(1s, 0);
  EXPECT_EQ(meter.pieces(), 3U);
  EXPECT_EQ(meter.seconds(), 6);
  meter.restart();
  EXPECT_EQ(meter.seconds(), 0);
}

TEST(LoadMeter, CountsAPieceOnce) {
  load_meter meter;
  {
    load_meter::piece timed(meter);
    timed.stop(2);
  }
  EXPECT_EQ(meter.pieces(), 2U);
  meter.add_traffic(5);
  meter.add_traffic(6);
  EXPECT_EQ(meter.traffic(), 11U);
}

}  // namespace
}  // namespace acre
