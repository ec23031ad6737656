// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/multilevel.hpp>

#include <acre/topology/specification.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace {

using namespace acre::mapping;
using acre::topology::allocation;
using acre::topology::make_network;

constexpr effort some{.at_most = std::chrono::seconds(60), .most_trials = 300'000, .seed = 11};
constexpr std::array<double, 3> costs{1, 10, 100};

struct job {
  std::unique_ptr<const acre::topology::network> net;
  allocation nodes;
  communication what;

  job(const char* network, std::uint32_t slots, communication traffic)
      : net(make_network(network)),
        nodes(allocation::whole(*net, slots)),
        what(std::move(traffic)) {}
  [[nodiscard]] problem given() const {
    const std::span<const double> of_levels =
        net->levels() == 1 ? std::span<const double>(costs) : std::span<const double>();
    return {.what = what, .where = {*net, nodes, 0, of_levels}, .goal = objective::cost};
  }
  [[nodiscard]] double cost(const placement& places) const { return measure(given(), places).cost; }
};

communication cliques(rank_t groups, rank_t size) {
  std::vector<rank_t> names(groups * size);
  std::iota(names.begin(), names.end(), 0U);
  std::ranges::shuffle(names, std::mt19937(5));
  std::vector<traffic::message> messages;
  for (rank_t i = 0; i < names.size(); ++i) {
    for (rank_t j = i - i % size; j < i - i % size + size; ++j) {
      messages.push_back({names[i], names[j], 1});
    }
  }
  return without_grid("cliques", traffic(groups * size, messages));
}

TEST(Multilevel, LowersWhatBytesCostByLevels) {
  const job grid("tree:4x8", 4, make_communication("cart:16x8"));
  const placement start = random_order(grid.given(), 3);
  EXPECT_LT(grid.cost(anneal_levels(grid.given(), start, some)), grid.cost(start) / 2);
  EXPECT_LT(grid.cost(multilevel(grid.given(), some)), grid.cost(start) / 2);
  EXPECT_LE(grid.cost(anneal_levels(grid.given(), packed(grid.given()), some)),
            grid.cost(packed(grid.given())));
}

TEST(Multilevel, PutsThoseWhoTalkTogetherIntoTheSameNodes) {
  for (const rank_t slots : {2U, 3U, 5U, 6U}) {
    const job groups("tree:3x4", slots, cliques(12, slots));
    const placement found = multilevel(groups.given(), some);
    EXPECT_EQ(measure(groups.given(), found).bytes_between_nodes, 0) << slots;
  }
}

TEST(Multilevel, GathersThoseWhoseGroupStaysSmall) {
  for (const rank_t slots : {3U, 5U, 7U}) {
    const job pairs("tree:3x5x7", slots, cliques(52, 2));
    const placement found = multilevel(pairs.given(), some);
    EXPECT_LE(pairs.cost(found), pairs.cost(packed(pairs.given()))) << slots;
    const job hub("tree:3x5x7", slots, cliques(1, 13));
    EXPECT_LE(hub.cost(multilevel(hub.given(), some)), hub.cost(packed(hub.given()))) << slots;
  }
}

TEST(Multilevel, KeepsTheLevelsOfMachinesThatAreNotEven) {
  const job whole("tree:4x8", 4, cliques(15, 8));
  std::vector<allocation::share> shares;
  for (acre::topology::node_t node = 0; node < 31; ++node) {
    shares.push_back({.node = node, .slots = node == 9 ? 3U : 4U});
  }
  const allocation uneven(*whole.net, shares);
  const problem given{
      .what = whole.what, .where = {*whole.net, uneven, 0, costs}, .goal = objective::cost};
  const double even = whole.cost(multilevel(whole.given(), some));
  EXPECT_LE(measure(given, multilevel(given, some)).cost, 1.3 * even);
  EXPECT_LE(measure(given, anneal_levels(given, random_order(given, 2), some)).cost, 1.3 * even);
}

TEST(Multilevel, TakesEveryMachine) {
  const job torus("torus:4x4", 2, make_communication("cart:32"));
  EXPECT_LE(torus.cost(anneal_levels(torus.given(), packed(torus.given()), some)),
            torus.cost(packed(torus.given())));
  const job half("tree:4x8", 4, make_communication("cart:8x8"));
  EXPECT_LE(half.cost(multilevel(half.given(), some)), half.cost(packed(half.given())));
  const auto net = make_network("tree:2x2");
  const allocation uneven(
      *net, {{.node = 0, .slots = 3}, {.node = 1, .slots = 1}, {.node = 3, .slots = 2}});
  const communication pairs = cliques(3, 2);
  const problem given{.what = pairs, .where = {*net, uneven, 0, costs}, .goal = objective::cost};
  EXPECT_LE(measure(given, multilevel(given, some)).cost,
            measure(given, random_order(given, 1)).cost);
}

TEST(Multilevel, FindsTheSameAgain) {
  const job grid("tree:4x8", 4, make_communication("cart:16x8"));
  EXPECT_EQ(multilevel(grid.given(), some), multilevel(grid.given(), some));
}

TEST(Multilevel, TakesTrafficThatIsNone) {
  const job silent("tree:2x2", 2, without_grid("silence", traffic(5, {})));
  EXPECT_EQ(silent.cost(multilevel(silent.given(), some)), 0);
}

TEST(MachineCost, IsThatOfTheSmallestGroupOfBothEnds) {
  const auto net = make_network("tree:2x2");
  const allocation nodes = allocation::whole(*net, 1);
  const machine where{*net, nodes, 0, costs};
  EXPECT_EQ(where.cost(0, 0), 1);
  EXPECT_EQ(where.cost(0, 1), 10);
  EXPECT_EQ(where.cost(1, 2), 100);
  EXPECT_EQ((machine{*net, nodes}).cost(1, 2), net->distance(1, 2));
}

}  // namespace
