// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/generators.hpp>

#include <acre/base/error.hpp>

#include <apps/graph/binomial.hpp>
#include <apps/graph/random_geometric.hpp>
#include <apps/graph/random_pairs.hpp>
#include <apps/graph/rmat.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace acre::graph;

std::vector<edge> edges_of_parts(const generator& graph, std::uint32_t members) {
  std::vector<edge> edges;
  for (std::uint32_t member = 0; member < members; ++member) {
    graph.part(member, members, [&](const edge& each) { edges.push_back(each); });
  }
  return edges;
}

/// Degrees if all edges join two vertices, and each pair once.
std::vector<std::uint64_t> degrees_of(const generator& graph, direction entries) {
  std::vector<std::uint64_t> degrees(graph.vertices, 0);
  std::set<edge> seen;
  for (edge each : edges_of_parts(graph, 1)) {
    EXPECT_LT(std::max(each.from, each.to), graph.vertices);
    EXPECT_NE(each.from, each.to);
    ++degrees.at(each.from);
    ++degrees.at(each.to);
    if (entries == direction::both && each.from < each.to) std::swap(each.from, each.to);
    EXPECT_TRUE(seen.insert(each).second) << each.from << " " << each.to;
  }
  return degrees;
}

TEST(Generators, AreOneListForAnyNumberOfMembers) {
  for (const std::string name : {"rmat:9,3000", "rmat:1,1", "rmat:6,0", "rmat:5,496",
                                 "geometric:700,0.05", "geometric:40,0.9", "geometric:1,0.1",
                                 "geometric:300,0.001", "gnm:500,2000", "gnm:40,780", "gnm:2,1"}) {
    for (const direction entries : {direction::both, direction::forward}) {
      const generator graph = generator_of(name, 3, entries);
      const std::vector<edge> expected = edges_of_parts(graph, 1);
      for (const std::uint32_t members : {2U, 3U, 5U, 64U}) {
        EXPECT_EQ(edges_of_parts(graph, members), expected) << name;
      }
      const bool has_edges = name.back() != '0' || name.find("gnm") == 0;
      if (has_edges && expected.size() > 100) {
        EXPECT_NE(edges_of_parts(generator_of(name, 4, entries), 1), expected) << name;
      }
    }
  }
}

TEST(Generators, HaveExactNumbersOfDistinctEdges) {
  for (const direction entries : {direction::both, direction::forward}) {
    for (const auto& [name, edges] : {std::pair("rmat:10,5000", 5000U),
                                      {"rmat:4,120", 120U},
                                      {"rmat:4,119", 119U},
                                      {"gnm:1000,5000", 5000U},
                                      {"gnm:17,136", 136U}}) {
      const generator graph = generator_of(name, 5, entries);
      const std::vector<std::uint64_t> degrees = degrees_of(graph, entries);
      std::uint64_t sum = 0;
      for (const std::uint64_t each : degrees) sum += each;
      EXPECT_EQ(sum, 2 * edges) << name;
      EXPECT_EQ(graph.edges, edges);
    }
  }
  EXPECT_EQ(edges_of_parts(generator_of("rmat:4,240", 5, direction::forward), 3).size(), 240U);
  EXPECT_EQ(edges_of_parts(generator_of("gnm:17,272", 5, direction::forward), 3).size(), 272U);
}

TEST(Generators, HaveDegreesOfTheirDistributions) {
  const auto most_and_single = [](const char* name) {
    const auto degrees = degrees_of(generator_of(name, 7, direction::both), direction::both);
    return std::pair(*std::ranges::max_element(degrees), std::ranges::count(degrees, 0U));
  };
  // Mean degree 16: Poisson, against some large ones and many single vertices.
  const auto [most_uniform, single_uniform] = most_and_single("gnm:4096,32768");
  EXPECT_LT(most_uniform, 40U);
  EXPECT_EQ(single_uniform, 0);
  const auto [most_skewed, single_skewed] = most_and_single("rmat:12,32768");
  EXPECT_GT(most_skewed, 200U);
  EXPECT_GT(single_skewed, 400);
}

TEST(RandomGeometric, JoinsAllPointsWithinTheRadius) {
  for (const double radius : {0.03, 0.11, 0.4, 1.5}) {
    const random_geometric graph(400, radius, 11);
    const auto points = graph.points({0, 400});
    ASSERT_EQ(points.size(), 400U);
    std::set<edge> expected;
    for (std::uint64_t i = 0; i < 400; ++i) {
      EXPECT_TRUE(points[i].x >= 0 && points[i].x < 1 && points[i].y >= 0 && points[i].y < 1);
      for (std::uint64_t j = 0; j < i; ++j) {
        const double x = points[i].x - points[j].x;
        const double y = points[i].y - points[j].y;
        if (x * x + y * y <= radius * radius) expected.insert({i, j});
      }
    }
    std::set<edge> found;
    graph.walk({0, 400}, [&](const edge& each) { EXPECT_TRUE(found.insert(each).second); });
    EXPECT_EQ(found, expected);
    std::vector<random_geometric::point> parts = graph.points({0, 123});
    for (const auto& each : graph.points({123, 277})) parts.push_back(each);
    EXPECT_TRUE(std::ranges::equal(
        parts, points, [](const auto& a, const auto& b) { return a.x == b.x && a.y == b.y; }));
  }
}

TEST(RandomGeometric, HasTheExpectedNumberOfEdges) {
  const random_geometric graph(20000, 0.01, 2);
  double count = 0;
  graph.walk({0, 20000}, [&](const edge&) { ++count; });
  // The border loses up to 4 · 2 r / (3 π) of the neighbours; six standard deviations.
  EXPECT_LT(count, graph.expected_edges() + 6 * std::sqrt(graph.expected_edges()));
  EXPECT_GT(count, graph.expected_edges() * (1 - 0.08 / (3 * std::numbers::pi)) -
                       6 * std::sqrt(graph.expected_edges()));
  // Points in each quarter of the square.
  std::size_t quarters[4] = {};
  for (const auto& [x, y] : graph.points({0, 20000}))
    ++quarters[(x < 0.5 ? 0 : 1) + (y < 0.5 ? 0 : 2)];
  for (const std::size_t each : quarters) EXPECT_NEAR(static_cast<double>(each), 5000, 6 * 61.3);
}

TEST(RandomPairs, ArePermutedUniformly) {
  // Each of 6 pairs is among 3 chosen in half of the seeds: 6 standard deviations of 4000 trials.
  std::vector<int> counts(16, 0);
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const random_pairs graph(4, 3, seed, direction::both);
    for (std::uint64_t i = 0; i < 3; ++i) ++counts[graph[i].from * 4 + graph[i].to];
  }
  for (std::size_t from = 0; from < 4; ++from) {
    for (std::size_t to = 0; to < 4; ++to) {
      if (to < from) {
        EXPECT_NEAR(counts[from * 4 + to], 2000, 190);
      } else {
        EXPECT_EQ(counts[from * 4 + to], 0);
      }
    }
  }
}

TEST(Binomial, HasItsMeanAndVariance) {
  for (const auto& [trials, share] :
       {std::pair(9U, 0.3), {15U, 0.9}, {16U, 0.19}, {1000U, 0.57}, {100000U, 0.01}}) {
    double sum = 0;
    double squares = 0;
    constexpr int samples = 4000;
    const double mean = trials * share;
    const double variance = mean * (1 - share);
    for (std::uint64_t key = 0; key < samples; ++key) {
      const std::uint64_t found = binomial(acre::split_mix(key), trials, share);
      EXPECT_EQ(found, binomial(acre::split_mix(key), trials, share));
      ASSERT_LE(found, trials);
      const double difference = static_cast<double>(found) - mean;
      sum += difference;
      squares += difference * difference;
    }
    EXPECT_NEAR(sum / samples, 0, 6 * std::sqrt(variance / samples)) << trials;
    EXPECT_NEAR(squares / samples, variance, variance * 0.2) << trials;
  }
  EXPECT_EQ(binomial(1, 100, 0), 0U);
  EXPECT_EQ(binomial(1, 100, 1), 100U);
}

TEST(Generators, AreRefusedForInvalidNumbers) {
  for (const char* name :
       {"rmat:4,121", "rmat:0,0", "rmat:32,1", "gnm:0,0", "gnm:4,7", "gnm:4", "gnm:4,5,6",
        "geometric:4,0", "geometric:4,nan", "ring:4,2", "rmat", ""}) {
    EXPECT_THROW(static_cast<void>(generator_of(name, 1, direction::both)), acre::error) << name;
  }
}

}  // namespace
