// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/csr/csr_builder.hpp>
#include <acre/matrix_files/files_test.hpp>

#include <apps/graph/breadth_first.hpp>
#include <apps/graph/edge_lists.hpp>
#include <apps/graph/graph_request.hpp>
#include <apps/graph/kronecker.hpp>
#include <apps/graph/tree_depths.hpp>
#include <apps/graph/validation.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using acre::graph::breadth_first;
using acre::graph::edges_of;
using acre::graph::graph_of;
using acre::graph::kronecker;
using acre::graph::validate;

TEST(Kronecker, HasEachVertexOnce) {
  for (const unsigned scale : {1U, 2U, 7U, 10U}) {
    const kronecker list(scale, 5);
    EXPECT_EQ(list.edges(), 16 * list.vertices());
    std::uint64_t most = 0;
    for (std::uint64_t i = 0; i < list.edges(); ++i)
      most = std::max({most, list[i].from, list[i].to});
    EXPECT_LT(most, list.vertices());
  }
}

TEST(Kronecker, IsOneGraphForAnyNumberOfRanks) {
  const kronecker list(8, 3);
  std::set<std::pair<std::uint64_t, std::uint64_t>> edges;
  for (std::uint64_t i = 0; i < list.edges(); ++i) {
    const auto [from, to] = list[i];
    if (from == to) continue;
    edges.insert({from, to});
    edges.insert({to, from});
  }
  const auto graph = graph_of(acre::world(), list);
  EXPECT_EQ(graph.entries(), edges.size());
  const auto rows = graph.local();
  for (std::size_t row = 0; row < rows.count; ++row) {
    for (const acre::column_t column : rows.columns_of(row)) {
      EXPECT_TRUE(edges.contains({rows.first + row, column}));
    }
  }
  acre::barrier();
}

TEST(BreadthFirst, FindsTreesThatHoldAllRules) {
  for (const unsigned scale : {2U, 6U, 10U}) {
    const kronecker list(scale, 2);
    const auto graph = graph_of(acre::world(), list);
    breadth_first searching(graph);
    for (std::uint64_t i = 0; i < 6; ++i) {
      const std::uint64_t root = acre::graph::root_of(list.vertices(), 2, i);
      searching.run(root);
      EXPECT_EQ(validate(graph, edges_of(acre::world(), list), root, searching.parents()).problem,
                "")
          << root;
    }
  }
}

TEST(BreadthFirst, FindsTheLevelsOfAPath) {
  constexpr std::size_t length = 200;
  acre::csr_builder<acre::present> triples(acre::world(),
                                           acre::graph::whole_words(length, acre::size()), length);
  if (acre::rank() == 0) {
    for (std::size_t i = 0; i + 1 < length; ++i) {
      triples.add(i, i + 1);
      triples.add(i + 1, i);
    }
  }
  const auto graph = triples.finish();
  breadth_first searching(graph);
  searching.run(0);
  EXPECT_EQ(searching.levels(), length);
  const auto parents = searching.parents().local();
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const std::size_t vertex = searching.parents().local_offset() + i;
    EXPECT_EQ(parents[i], vertex == 0 ? 0 : vertex - 1);
  }
  const auto depths = acre::graph::depths_of(searching.parents());
  for (std::size_t i = 0; i < parents.size(); ++i) {
    EXPECT_EQ(depths.local()[i], depths.local_offset() + i);
  }
  acre::barrier();
}

TEST(GraphRequest, TakesTheEntriesOfAFileAsEdges) {
  const acre::files_test::folder here;
  const acre::graph::graph_request wanted{.from = here / "some.mtx"};
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  acre::files_test::write_file(wanted.from,
                               head + "6 6 7\n1 2 0.5\n2 3 1\n1 3 1\n3 4 9\n4 3 2\n5 5 1\n4 5 1\n");
  const auto graph = graph_of(acre::world(), wanted);
  EXPECT_EQ(graph.rows(), 6U);
  EXPECT_EQ(graph.entries(), 10U);
  breadth_first searching(graph);
  searching.run(0);
  EXPECT_EQ(searching.levels(), 4U);
  const auto found = validate(graph, edges_of(wanted, graph), 0, searching.parents());
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(found.edges, 5U);
  EXPECT_EQ(name_of(wanted), "\"from\": \"" + wanted.from + "\"");
  acre::files_test::write_file(wanted.from, head + "2 3 0\n");
  EXPECT_THROW(static_cast<void>(graph_of(acre::world(), wanted)), acre::error);
  acre::barrier();
}

TEST(GraphRequest, RefusesWhatNoNodeHasRoomFor) {
  const acre::graph::graph_request wanted{.scale = 31, .edge_factor = 1U << 16, .from = {}};
  EXPECT_THROW(static_cast<void>(graph_of(acre::world(), wanted)), acre::error);
}

TEST(BreadthFirst, RefusesRowsThatShareAWord) {
  acre::csr_builder<acre::present> triples(acre::world(), 10 * acre::size(), 10 * acre::size());
  const auto graph = triples.finish();
  if (acre::size() > 1) {
    EXPECT_THROW(breadth_first{graph}, acre::error);
  }
  acre::barrier();
}

std::string problem_with(std::size_t vertex, acre::column_t parent) {
  const kronecker list(8, 2);
  const auto graph = graph_of(acre::world(), list);
  breadth_first searching(graph);
  const std::uint64_t root = acre::graph::root_of(list.vertices(), 2, 0);
  searching.run(root);
  acre::dense_vector<acre::column_t> tree(acre::world(), graph.cut());
  std::ranges::copy(searching.parents().local(), tree.local().begin());
  acre::barrier();
  if (tree.cut().owner(vertex) == acre::rank()) tree.local()[vertex - tree.local_offset()] = parent;
  return validate(graph, edges_of(acre::world(), list), root, tree).problem;
}

TEST(Validation, SeesWhatIsNoTree) {
  const kronecker list(8, 2);
  const std::uint64_t root = acre::graph::root_of(list.vertices(), 2, 0);
  const auto graph = graph_of(acre::world(), list);
  breadth_first searching(graph);
  searching.run(root);
  std::size_t deep = list.vertices();
  for (std::size_t i = 0; i < graph.local_rows(); ++i) {
    const acre::column_t parent = searching.parents().local()[i];
    if (parent == breadth_first::none || parent == root) continue;
    deep = std::min(deep, graph.first_local_row() + i);
  }
  deep = acre::world().allreduce(deep, acre::op::min);
  ASSERT_LT(deep, list.vertices());
  EXPECT_NE(problem_with(deep, static_cast<acre::column_t>(deep)).find("cycle"), std::string::npos);
  EXPECT_NE(problem_with(deep, static_cast<acre::column_t>(root)), "");
  EXPECT_NE(problem_with(deep, breadth_first::none), "");
  EXPECT_NE(problem_with(deep, 1U << 20).find("not a vertex"), std::string::npos);
  EXPECT_NE(problem_with(root, static_cast<acre::column_t>(deep)).find("root"), std::string::npos);
}

}  // namespace
