// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/scotch/scotch.hpp>

#include <acre/base/error.hpp>
#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace acre::machines {
namespace {

using topology::allocation;
using topology::make_network;

class ScotchOn : public testing::TestWithParam<const char*> {};

TEST_P(ScotchOn, GivesEachRankASlotOfItsOwnBetterThanByChance) {
  const auto net = make_network(GetParam());
  const allocation all = allocation::whole(*net, 6);
  const mapping::communication grid = mapping::make_communication("cart:8x6x4");
  const mapping::problem given{grid, {*net, all}};
  const mapping::placement places = scotch(given);
  EXPECT_EQ(std::set(places.begin(), places.end()).size(), 192U);
  const mapping::metrics by_chance =
      mapping::measure(given.where, grid.traffic, mapping::random_order(given, 1));
  const mapping::metrics measured = mapping::measure(given.where, grid.traffic, places);
  EXPECT_LT(measured.hop_bytes, 0.6 * by_chance.hop_bytes);
  EXPECT_EQ(scotch(given), places) << "the same again";
}
INSTANTIATE_TEST_SUITE_P(Networks, ScotchOn,
                         testing::Values("torus:4x4x2", "mesh:8x4", "tree:4x4x2", "hypercube:5",
                                         "dragonfly:4x2x2x2"));

TEST(Scotch, FillsUnevenNodesExactly) {
  const auto net = make_network("torus:4x4");
  const allocation some(*net, {{.node = 1, .slots = 5},
                               {.node = 6, .slots = 1},
                               {.node = 3, .slots = 12},
                               {.node = 15, .slots = 6}});
  const mapping::communication ring = mapping::make_communication("cart:24");
  const mapping::placement places = scotch({ring, {*net, some}});
  EXPECT_EQ(std::set(places.begin(), places.end()).size(), 24U);
  EXPECT_EQ(*std::ranges::max_element(places), 23U);
}

TEST(Scotch, TakesJobsOfOneNode) {
  const auto net = make_network("torus:4x4");
  const allocation one(*net, {{.node = 5, .slots = 8}});
  const mapping::communication ring = mapping::make_communication("cart:8");
  EXPECT_EQ(scotch({ring, {*net, one}}), mapping::packed({ring, {*net, one}}));
}

TEST(Scotch, SaysWhatItDoesNotTake) {
  const auto large = make_network("tree:64x64");
  std::vector<allocation::share> shares(4096, {.node = 0, .slots = 1});
  for (topology::node_t node = 0; node < shares.size(); ++node) shares[node].node = node;
  const mapping::communication ring = mapping::make_communication("cart:8");
  EXPECT_EQ(scotch({ring, {*large, allocation(*large, shares)}}).size(), 8U) << "it is a tree";
  shares[17].slots = 2;
  EXPECT_THROW(static_cast<void>(scotch({ring, {*large, allocation(*large, shares)}})),
               acre::error);
  const auto small = make_network("torus:2x2");
  const allocation few = allocation::whole(*small, 1);
  EXPECT_THROW(static_cast<void>(scotch({ring, {*small, few}})), acre::error);
}

}  // namespace
}  // namespace acre::machines
