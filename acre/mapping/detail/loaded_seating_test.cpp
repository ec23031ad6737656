// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/loaded_seating.hpp>

#include <acre/mapping/detail/priced_seating.hpp>
#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace acre::mapping;

traffic any_traffic(rank_t ranks, std::mt19937& random) {
  std::vector<traffic::message> messages;
  for (rank_t i = 0; i < 6 * ranks; ++i) {
    messages.push_back({static_cast<rank_t>(random() % ranks),
                        static_cast<rank_t>(random() % ranks),
                        static_cast<double>(1 + random() % 100)});
  }
  return {ranks, messages};
}

template <class Seating>
void exchange_and_look_again(const char* network, const traffic& flows) {
  const auto net = acre::topology::make_network(network);
  const auto nodes = acre::topology::allocation::whole(*net, 3);
  const machine where{*net, nodes};
  const seat_plan plan = plan_of_slots(where);
  typename Seating::prices prices(where, plan.nodes);
  std::vector<std::uint32_t> seats(flows.ranks());
  for (std::uint32_t rank = 0; rank < seats.size(); ++rank) seats[rank] = rank;
  Seating now(flows, plan, prices, seats);
  std::mt19937 random(3);
  for (int i = 0; i < 400; ++i) {
    const auto rank = static_cast<rank_t>(random() % flows.ranks());
    const auto seat = static_cast<std::uint32_t>(random() % plan.places.size());
    const double rise = now.rise(rank, seat);
    if (random() % 3 == 0) continue;
    const double before = now.cost();
    now.exchange(rank, seat, rise);
    EXPECT_NEAR(now.cost(), before + rise, 1e-9 * now.cost());
  }
  Seating again(flows, plan, prices, now.seats_taken());
  EXPECT_NEAR(now.norm(), again.norm(), 1e-9 * again.norm()) << network;
}

TEST(Seatings, KeepTheirCostTrueWhileRanksChangePlaces) {
  std::mt19937 random(5);
  for (const char* network :
       {"torus:4x3x2", "tree:4x6", "dragonfly:3x1x4x2", "fat-tree:2;4,6;1,2;1,1"}) {
    const traffic flows = any_traffic(60, random);
    exchange_and_look_again<loaded_seating>(network, flows);
    exchange_and_look_again<priced_seating>(network, both_ways(flows));
  }
}

}  // namespace
