// SPDX-License-Identifier: BSD-3-Clause
// Values of vertices: closed forms, serial algorithms with the same bits, and wrong results.
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>

#include <apps/graph/betweenness.hpp>
#include <apps/graph/core_numbers.hpp>
#include <apps/graph/edge_lists.hpp>
#include <apps/graph/generators.hpp>
#include <apps/graph/kronecker.hpp>
#include <apps/graph/label_propagation.hpp>
#include <apps/graph/maximal_matching.hpp>
#include <apps/graph/serial_graph_test.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace {

using namespace acre::graph;

constexpr std::size_t vertices = 330;

acre::csr_graph joined(const std::vector<edge>& edges, direction entries = direction::both) {
  graph_builder all(acre::world(), vertices, entries);
  for (std::size_t i = acre::rank(); i < edges.size(); i += acre::size()) all.add(edges[i]);
  return all.finish();
}

std::vector<edge> path(std::uint64_t first, std::uint64_t count) {
  std::vector<edge> edges;
  for (std::uint64_t i = first; i + 1 < first + count; ++i) edges.push_back({i, i + 1});
  return edges;
}

/// Vertices first, first + step, …
std::vector<edge> clique(std::uint64_t first, std::uint64_t count, std::uint64_t step) {
  std::vector<edge> edges;
  for (std::uint64_t i = 0; i < count; ++i) {
    for (std::uint64_t j = 0; j < i; ++j) edges.push_back({first + i * step, first + j * step});
  }
  return edges;
}

/// Expects wanted(vertex) of own vertices.
template <class T, class F>
void expect_values(const acre::dense_vector<T>& found, const F& wanted) {
  for (std::size_t row = 0; row < found.local().size(); ++row) {
    EXPECT_EQ(found.local()[row], wanted(found.local_offset() + row)) << found.local_offset() + row;
  }
  acre::barrier();
}

template <class F>
void with_random_graphs(const F& f) {
  for (const auto& [scale, factor] : {std::pair(8U, 2U), {8U, 9U}}) {
    f(graph_of(acre::world(), kronecker(scale, 3, factor)));
  }
}

acre::dense_vector<std::uint32_t> cores_of(const acre::csr_graph& graph) {
  const core_numbers found(graph);
  EXPECT_EQ(problem_of_cores(graph, found.removals()), "");
  acre::dense_vector<std::uint32_t> cores(acre::world(), graph.cut());
  for (std::size_t row = 0; row < cores.local().size(); ++row) {
    cores.local()[row] = found.removals().local()[row].core;
  }
  return cores;
}

TEST(CoreNumbers, AreThoseOfCliquesPathsAndSingleVertices) {
  std::vector<edge> edges = path(10, 60);
  for (const edge& each : clique(2, 30, 11)) edges.push_back(each);
  const std::uint64_t last = 2 + 29 * 11;
  edges.push_back({last, last + 5});
  edges.push_back({last, last});
  expect_values(cores_of(joined(edges)), [&](std::uint64_t vertex) {
    if (vertex % 11 == 2 && vertex <= last) return 29U;
    if (vertex > 13 && vertex < 68) return 2U;  // a path between two of them
    return (vertex >= 10 && vertex < 70) || vertex == last + 5 ? 1U : 0U;
  });
}

void expect_cores_by_definition(const acre::csr_graph& graph) {
  const serial_graph serial(graph);
  std::vector<std::uint32_t> expected(serial.size(), 0);
  std::vector<bool> inside(serial.size(), true);
  for (std::uint32_t core = 1; std::ranges::count(inside, true) != 0; ++core) {
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (std::size_t vertex = 0; vertex < serial.size(); ++vertex) {
        const auto is_in = [&](std::uint64_t each) { return inside[each]; };
        if (!inside[vertex]) continue;
        if (std::ranges::count_if(serial.neighbours[vertex], is_in) >= core) continue;
        inside[vertex] = false;
        has_changed = true;
      }
    }
    for (std::size_t vertex = 0; vertex < serial.size(); ++vertex) {
      if (inside[vertex]) expected[vertex] = core;
    }
  }
  expect_values(cores_of(graph), [&](std::uint64_t vertex) { return expected[vertex]; });
}

TEST(CoreNumbers, AreThoseOfTheirDefinition) { with_random_graphs(expect_cores_by_definition); }

TEST(CoreNumbers, AreCheckedByBothBounds) {
  const acre::csr_graph graph = joined(clique(1, 20, 9));
  const core_numbers right(graph);
  for (const std::uint32_t change : {1U, ~0U}) {
    acre::dense_vector<removal> wrong(acre::world(), graph.cut());
    std::ranges::copy(right.removals().local(), wrong.local().begin());
    for (removal& each : wrong.local()) each.core += each.core == 0 ? 0 : change;
    EXPECT_NE(problem_of_cores(graph, wrong), "");
  }
}

TEST(LabelPropagation, FindsCliques) {
  std::vector<edge> edges = clique(3, 20, 16);
  for (const edge& each : clique(4, 12, 1)) edges.push_back(each);
  edges.push_back({3 + 19 * 16, 4 + 11});
  const acre::csr_graph graph = joined(edges);
  label_propagation labels(graph);
  while (labels.step()) {
  }
  EXPECT_EQ(problem_of_labels(graph, labels.earlier(), labels.labels()), "");
  EXPECT_EQ(count_labels(labels.labels()), vertices - 30);
  expect_values(labels.labels(), [](std::uint64_t vertex) {
    if (vertex >= 4 && vertex < 16) return std::uint64_t{4};
    return vertex % 16 == 3 && vertex < 3 + 20 * 16 ? std::uint64_t{3} : vertex;
  });
}

void expect_labels_by_definition(const acre::csr_graph& graph) {
  const serial_graph serial(graph);
  label_propagation labels(graph);
  std::vector<std::uint64_t> expected(serial.size());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = i;
  for (int round = 0; round < 6; ++round) {
    static_cast<void>(labels.step());
    const std::vector<std::uint64_t> before = expected;
    for (std::size_t vertex = 0; vertex < serial.size(); ++vertex) {
      std::map<std::uint64_t, int> counts;
      for (const std::uint64_t each : serial.neighbours[vertex]) ++counts[before[each]];
      int most = 0;
      for (const auto& [label, count] : counts) {
        if (count > most) expected[vertex] = label;
        most = std::max(most, count);
      }
    }
    expect_values(labels.labels(), [&](std::uint64_t vertex) { return expected[vertex]; });
  }
  EXPECT_EQ(count_labels(labels.labels()), std::set(expected.begin(), expected.end()).size());
  EXPECT_EQ(problem_of_labels(graph, labels.earlier(), labels.labels()), "");
  const auto problem = problem_of_labels(graph, labels.labels(), labels.labels());
  EXPECT_EQ(problem.empty(), !labels.step());
}

TEST(LabelPropagation, IsThatOfItsDefinition) { with_random_graphs(expect_labels_by_definition); }

void expect_greedy(const acre::csr_graph& graph, std::uint64_t seed) {
  constexpr auto single = std::uint64_t{maximal_matching::single};
  const serial_graph serial(graph);
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> edges;
  for (std::uint64_t from = 0; from < serial.size(); ++from) {
    for (const std::uint64_t to : serial.neighbours[from]) {
      if (from < to) edges.emplace_back(edge_priority(seed, from, to), from, to);
    }
  }
  std::ranges::sort(edges);
  std::vector<std::uint64_t> expected(serial.size(), single);
  for (const auto& [priority, from, to] : edges) {
    if (expected[from] != single || expected[to] != single) continue;
    expected[from] = to;
    expected[to] = from;
  }
  const maximal_matching found(graph, seed);
  expect_values(found.partners(), [&](std::uint64_t vertex) { return expected[vertex]; });
  EXPECT_EQ(problem_of_matching(graph, found.partners()), "");
}

TEST(MaximalMatching, IsTheGreedyOneByPriorities) {
  with_random_graphs([](const acre::csr_graph& graph) { expect_greedy(graph, 5); });
  expect_greedy(joined(path(0, vertices)), 1);
  expect_greedy(joined({}), 1);
  const maximal_matching pairs(joined(clique(0, 64, 5)), 9);
  const auto mine = pairs.partners().local();
  for (std::size_t row = 0; row < mine.size(); ++row) {
    const std::uint64_t vertex = pairs.partners().local_offset() + row;
    EXPECT_EQ(mine[row] != maximal_matching::single, vertex % 5 == 0 && vertex < 320) << vertex;
  }
  acre::barrier();
}

TEST(MaximalMatching, IsCheckedByItsDefinition) {
  const acre::csr_graph graph = joined(path(0, vertices));
  const maximal_matching right(graph, 1);
  acre::dense_vector<acre::column_t> wrong(acre::world(), graph.cut(), maximal_matching::single);
  EXPECT_NE(problem_of_matching(graph, wrong), "");
  std::ranges::copy(right.partners().local(), wrong.local().begin());
  if (wrong.local_offset() == 0) wrong.local()[0] = 5;
  acre::barrier();
  EXPECT_NE(problem_of_matching(graph, wrong), "");
}

/// Sums over ordered pairs from some vertices, in the order of betweenness.
std::vector<double> serial_betweenness(const serial_graph& graph, std::size_t step) {
  constexpr auto unreached = std::numeric_limits<std::size_t>::max();
  std::vector<double> sums(graph.size(), 0);
  for (std::size_t source = 0; source < graph.size(); source += step) {
    std::vector<std::size_t> distances(graph.size(), unreached);
    std::vector<double> paths(graph.size(), 0);
    std::vector<double> fractions(graph.size(), 0);
    std::vector<std::vector<std::size_t>> levels{{source}};
    distances[source] = 0;
    paths[source] = 1;
    while (!levels.back().empty()) {
      std::set<std::size_t> next;
      for (const std::size_t from : levels.back()) {
        for (const std::size_t to : graph.neighbours[from]) {
          if (distances[to] == unreached) distances[to] = levels.size();
          if (distances[to] != levels.size()) continue;
          paths[to] += paths[from];
          next.insert(to);
        }
      }
      levels.emplace_back(next.begin(), next.end());
    }
    for (; !levels.empty(); levels.pop_back()) {
      for (const std::size_t from : levels.back()) {
        double sum = 0;
        for (const std::size_t to : graph.neighbours[from]) {
          if (distances[to] == distances[from] + 1) sum += (1 + fractions[to]) / paths[to];
        }
        fractions[from] = paths[from] * sum;
        if (from != source) sums[from] += fractions[from];
      }
    }
  }
  return sums;
}

acre::dense_vector<double> betweenness_of(const acre::csr_graph& graph, std::size_t step) {
  betweenness found(graph);
  for (std::size_t source = 0; source < graph.rows(); source += step) {
    found.add_source(source);
    EXPECT_EQ(found.problem_of_last(), "");
  }
  acre::dense_vector<double> sums(acre::world(), graph.cut());
  std::ranges::copy(found.sums().local(), sums.local().begin());
  return sums;
}

TEST(Betweenness, IsThatOfPathsStarsAndCycles) {
  const auto from = [](const acre::csr_graph& graph, std::uint64_t source) {
    betweenness found(graph);
    found.add_source(source);
    EXPECT_EQ(found.problem_of_last(), "");
    acre::dense_vector<double> sums(acre::world(), graph.cut());
    std::ranges::copy(found.sums().local(), sums.local().begin());
    return sums;
  };
  expect_values(from(joined(path(0, 100)), 0), [](std::uint64_t vertex) {
    return vertex == 0 || vertex >= 100 ? 0.0 : static_cast<double>(99 - vertex);
  });
  std::vector<edge> star;
  for (std::uint64_t i = 1; i < vertices; ++i) star.push_back({0, i});
  expect_values(from(joined(star), 7), [](std::uint64_t vertex) {
    return vertex == 0 ? static_cast<double>(vertices - 2) : 0.0;
  });
  std::vector<edge> square{{0, 100}, {0, 200}, {100, 300}, {200, 300}, {300, 301}};
  expect_values(from(joined(square), 0), [](std::uint64_t vertex) {
    return vertex == 300 ? 1.0 : vertex == 100 || vertex == 200 ? 1.0 : 0.0;
  });
  expect_values(from(joined(square, direction::forward), 300), [](std::uint64_t) { return 0.0; });
}

TEST(Betweenness, HasTheBitsOfTheSerialAlgorithm) {
  const acre::csr_graph graph = graph_of(acre::world(), kronecker(7, 3, 3));
  const std::vector<double> expected = serial_betweenness(serial_graph(graph), 11);
  expect_values(betweenness_of(graph, 11), [&](std::uint64_t vertex) { return expected[vertex]; });
  const kronecker list(7, 4, 3);
  const acre::csr_graph directed =
      graph_of(acre::world(), list.vertices(), edges_of(acre::world(), list), direction::forward);
  const std::vector<double> also = serial_betweenness(serial_graph(directed), 11);
  expect_values(betweenness_of(directed, 11), [&](std::uint64_t vertex) { return also[vertex]; });
}

TEST(VertexValuesAtLength, AreThoseOfTheirDefinitions) {
  std::vector<acre::csr_graph> graphs;
  graphs.push_back(graph_of(acre::world(), kronecker(12, 7, 16)));
  for (const char* name : {"geometric:5000,0.02", "gnm:6000,18000", "rmat:12,20000"}) {
    const generator list = generator_of(name, 3, direction::both);
    graphs.push_back(graph_of(acre::world(), list.vertices, edges_of(acre::world(), list)));
  }
  for (const acre::csr_graph& graph : graphs) {
    expect_cores_by_definition(graph);
    expect_labels_by_definition(graph);
    expect_greedy(graph, 8);
    const std::vector<double> expected = serial_betweenness(serial_graph(graph), 501);
    expect_values(betweenness_of(graph, 501),
                  [&](std::uint64_t vertex) { return expected[vertex]; });
  }
}

}  // namespace
