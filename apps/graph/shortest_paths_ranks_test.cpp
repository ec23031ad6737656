// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>

#include <apps/graph/edge_lists.hpp>
#include <apps/graph/graph_request.hpp>
#include <apps/graph/kronecker.hpp>
#include <apps/graph/serial_graph_test.hpp>
#include <apps/graph/shortest_paths.hpp>
#include <apps/graph/tree_depths.hpp>
#include <apps/graph/two_way_graph.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <utility>
#include <vector>

namespace {

using acre::graph::edge_weights;
using acre::graph::kronecker;
using acre::graph::problem_of_distances;
using acre::graph::serial_graph;
using acre::graph::shortest_paths;
using distance = shortest_paths::distance;

std::vector<distance> dijkstra(const serial_graph& graph, const edge_weights& weights,
                               std::uint64_t root) {
  std::vector<distance> found(graph.neighbours.size(), shortest_paths::unreached);
  using entry = std::pair<distance, std::uint64_t>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> open;
  found[root] = 0;
  open.emplace(0, root);
  while (!open.empty()) {
    const auto [so_far, vertex] = open.top();
    open.pop();
    if (so_far != found[vertex]) continue;
    for (const std::uint64_t next : graph.neighbours[vertex]) {
      const distance further = so_far + weights(vertex, next);
      if (further >= found[next]) continue;
      found[next] = further;
      open.emplace(further, next);
    }
  }
  return found;
}

/// Δ-stepping: light edges at each removal, heavy edges once per vertex of a bucket.
std::uint64_t serial_relaxations(const serial_graph& graph, const edge_weights& weights,
                                 std::uint64_t root, distance delta) {
  std::vector<distance> found(graph.neighbours.size(), shortest_paths::unreached);
  std::map<distance, std::set<std::uint64_t>> buckets;
  std::uint64_t relaxations = 0;
  const auto relax = [&](std::uint64_t vertex, distance further) {
    ++relaxations;
    if (further >= found[vertex]) return;
    if (found[vertex] != shortest_paths::unreached) {
      const auto before = buckets.find(found[vertex] / delta);
      if (before != buckets.end()) before->second.erase(vertex);
    }
    found[vertex] = further;
    buckets[further / delta].insert(vertex);
  };
  found[root] = 0;
  buckets[0].insert(root);
  while (!buckets.empty()) {
    const distance number = buckets.begin()->first;
    std::set<std::uint64_t> removed;
    while (!buckets[number].empty()) {
      const std::set<std::uint64_t> phase = std::exchange(buckets[number], {});
      removed.insert(phase.begin(), phase.end());
      for (const std::uint64_t vertex : phase) {
        for (const std::uint64_t next : graph.neighbours[vertex]) {
          const distance weight = weights(vertex, next);
          if (weight <= delta) relax(next, found[vertex] + weight);
        }
      }
    }
    for (const std::uint64_t vertex : removed) {
      for (const std::uint64_t next : graph.neighbours[vertex]) {
        const distance weight = weights(vertex, next);
        if (weight > delta) relax(next, found[vertex] + weight);
      }
    }
    buckets.erase(number);
  }
  return relaxations;
}

void expect_shortest(const kronecker& list, distance delta, std::uint64_t roots) {
  const acre::csr_graph graph = acre::graph::graph_of(acre::world(), list);
  const serial_graph serial(graph);
  const edge_weights weights(7);
  shortest_paths paths(graph, weights);
  for (std::uint64_t i = 0; i < roots; ++i) {
    const std::uint64_t root = acre::graph::root_of(list.vertices(), 1, i);
    paths.run(root, delta);
    EXPECT_EQ(problem_of_distances(graph, weights, root, paths.distances()), "");
    const std::vector<distance> expected = dijkstra(serial, weights, root);
    const auto mine = paths.distances().local();
    const auto first = static_cast<std::ptrdiff_t>(paths.distances().local_offset());
    EXPECT_TRUE(std::equal(mine.begin(), mine.end(), expected.begin() + first));
    const auto work = static_cast<double>(acre::world().allreduce(paths.relaxations()));
    const auto limit = 1.3 * static_cast<double>(serial_relaxations(serial, weights, root, delta));
    EXPECT_LE(work, limit) << "delta " << delta << ", " << paths.windows() << " windows";
    acre::barrier();
  }
}

TEST(ShortestPaths, EqualDijkstrasWithTheWorkOfDeltaStepping) {
  expect_shortest(kronecker(9, 3, 8), 32, 1);
  expect_shortest(kronecker(9, 4, 2), 64, 1);
}

TEST(ShortestPathsAtLength, EqualDijkstrasWithTheWorkOfDeltaStepping) {
  for (const distance delta : {1U, 8U, 32U, 128U, 1000U}) {
    expect_shortest(kronecker(13, 3, 16), delta, 3);
    expect_shortest(kronecker(12, 4, 2), delta, 3);
  }
}

TEST(ShortestPaths, FindAPathOfOneVertexAndOfAChain) {
  acre::graph::graph_builder edges(acre::world(), 200);
  if (acre::rank() == 0) {
    for (std::uint64_t i = 0; i + 1 < 40; ++i) edges.add({i, i + 1});
  }
  const acre::csr_graph graph = edges.finish();
  const edge_weights weights(1);
  shortest_paths paths(graph, weights);
  paths.run(199, 5);
  EXPECT_EQ(problem_of_distances(graph, weights, 199, paths.distances()), "");
  EXPECT_EQ(acre::world().allreduce(paths.relaxations()), 0U);
  paths.run(0, 1000);
  EXPECT_EQ(problem_of_distances(graph, weights, 0, paths.distances()), "");
  distance last = 0;
  for (std::uint64_t i = 0; i + 1 < 40; ++i) last += weights(i, i + 1);
  EXPECT_EQ(acre::get(paths.distances().pointer(39)), last);
  EXPECT_EQ(acre::get(paths.distances().pointer(40)), shortest_paths::unreached);
  acre::barrier();
}

TEST(ShortestPaths, FollowDirectedEdges) {
  const kronecker list(7, 5, 4);
  const acre::graph::two_way_graph graph(
      acre::graph::graph_of(acre::world(), list.vertices(),
                            acre::graph::edges_of(acre::world(), list),
                            acre::graph::direction::forward),
      acre::graph::direction::forward);
  const serial_graph serial(graph.out());
  const edge_weights weights(2);
  shortest_paths paths(graph.out(), weights);
  for (std::uint64_t i = 0; i < 3; ++i) {
    const std::uint64_t root = acre::graph::root_of(list.vertices(), 1, i);
    paths.run(root, 50);
    EXPECT_EQ(problem_of_distances(graph.in(), weights, root, paths.distances()), "");
    const std::vector<distance> expected = dijkstra(serial, weights, root);
    const auto parents = acre::graph::predecessors_of(graph.in(), root, paths.distances(), weights);
    for (std::size_t row = 0; row < graph.out().local_rows(); ++row) {
      const std::uint64_t vertex = graph.out().first_local_row() + row;
      EXPECT_EQ(paths.distances().local()[row], expected[vertex]);
      const std::uint64_t parent = parents.local()[row];
      if (vertex == root) {
        EXPECT_EQ(parent, root);
      } else if (expected[vertex] != shortest_paths::unreached) {
        EXPECT_EQ(expected[parent] + weights(parent, vertex), expected[vertex]);
        EXPECT_TRUE(std::ranges::count(serial.neighbours[parent], vertex) == 1);
      } else {
        EXPECT_EQ(parent, std::numeric_limits<acre::column_t>::max());
      }
    }
    acre::barrier();
  }
}

TEST(ShortestPaths, AreCheckedByTheirEdges) {
  const acre::csr_graph graph = acre::graph::graph_of(acre::world(), kronecker(7, 3));
  const edge_weights weights(7);
  const std::uint64_t root = acre::graph::root_of(128, 1, 0);
  shortest_paths paths(graph, weights);
  paths.run(root, 32);
  acre::dense_vector<distance> wrong(acre::world(), graph.cut());
  const auto right = paths.distances().local();
  for (const int change : {-1, 1}) {
    std::ranges::copy(right, wrong.local().begin());
    const auto reached = std::ranges::find_if(wrong.local(), [](distance each) {
      return each != 0 && each != shortest_paths::unreached;
    });
    if (reached != wrong.local().end()) *reached += static_cast<distance>(change);
    acre::barrier();
    EXPECT_NE(problem_of_distances(graph, weights, root, wrong), "");
    acre::barrier();
  }
}

}  // namespace
