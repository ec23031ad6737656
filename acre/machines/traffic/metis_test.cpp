// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/traffic/metis.hpp>

#include <acre/machines/traffic/read_traffic.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace acre::machines {
namespace {

using flow = mapping::traffic::flow;

std::string problem_of(const std::string& text) {
  return problem_with(read_metis, text, "t.graph");
}

TEST(Metis, ReadsNeighboursAndTheWeightsOfEdges) {
  const mapping::communication read =
      read_metis("% a path\n3 2 001\n2 8000\n% rank 1\n1 8000 3 4096\n2 4096\n", "p");
  EXPECT_EQ(read.name, "p");
  EXPECT_EQ(read.extents, std::vector<std::uint32_t>{3});
  EXPECT_EQ(row(read, 0), (std::vector<flow>{{1, 8000}}));
  EXPECT_EQ(row(read, 1), (std::vector<flow>{{0, 8000}, {2, 4096}}));
  EXPECT_EQ(row(read, 2), (std::vector<flow>{{1, 4096}}));
}

TEST(Metis, CountsAByteWhereEdgesHaveNoWeight) {
  const mapping::communication read = read_metis("3 1\n2\n1\n\n", "t");
  EXPECT_EQ(row(read, 0), (std::vector<flow>{{1, 1}}));
  EXPECT_TRUE(read.traffic.from(2).empty()) << "an empty line is a vertex without neighbours";
}

TEST(Metis, PassesOverSizesAndWeightsOfVertices) {
  const mapping::communication read = read_metis("2 1 111 2\n7 1 1 2 5\n7 1 1 1 5\n", "t");
  EXPECT_EQ(row(read, 0), (std::vector<flow>{{1, 5}}));
  EXPECT_EQ(row(read_metis("2 1 10\n9 2\n9 1\n", "t"), 1), (std::vector<flow>{{0, 1}}));
}

TEST(Metis, SaysFileLineAndWhatIsWrong) {
  EXPECT_EQ(problem_of("2 1\n3\n1\n"), "t.graph, line 2: the neighbour is 3, above the last, 2");
  EXPECT_EQ(problem_of("2 1\n0\n1\n"), "t.graph, line 2: the neighbour is 0");
  EXPECT_EQ(problem_of("2 1 1\n2 -3\n1 3\n"), "t.graph, line 2: the weight '-3' is invalid");
  EXPECT_EQ(problem_of("2 1 1\n2\n1 3\n"), "t.graph, line 2: the weight is missing");
  EXPECT_EQ(problem_of("3 1\n2\n1"), "t.graph, line 3: the file ends after 2 of 3 vertices");
  EXPECT_EQ(problem_of("2 1\n2\n1\n1\n"),
            "t.graph, line 4: the file has more lines than the 2 vertices");
  EXPECT_EQ(problem_of("2 1\n2 2 2\n1\n"),
            "t.graph, line 2: the file has more edges than the 1 of the first line");
  EXPECT_EQ(problem_of("2 1\n2\n\n"),
            "t.graph, line 3: the first line gives 1 edges and thus twice as many neighbours, "
            "but the file has 1");
  EXPECT_EQ(problem_of("2 1 2\n2\n1\n"), "t.graph, line 1: the format '2' is invalid");
  EXPECT_EQ(problem_of("2 1 1 3\n2 1\n1 1\n"),
            "t.graph, line 1: the number of vertex weights is 0, or the format excludes vertex "
            "weights");
  EXPECT_EQ(problem_of("0 0\n"), "t.graph, line 1: the graph has no vertex");
}

TEST(Metis, WantsEachEdgeAtBothEnds) {
  EXPECT_EQ(problem_of("3 1 001\n2 5\n3 7\n\n"),
            "t.graph, line 4: the edge from 1 to 2 differs at its other end");
  EXPECT_EQ(problem_of("2 1 001\n2 5\n1 6\n"),
            "t.graph, line 3: the edge from 1 to 2 differs at its other end");
}

TEST(Metis, RefusesAbsurdSizesBeforeItTakesMemory) {
  EXPECT_EQ(problem_of("16000000 1\n2\n1\n"),
            "t.graph, line 1: the file ends before its 16000000 vertices and 1 edges");
  EXPECT_EQ(problem_of("2 9000000000000000000\n2\n1\n"),
            "t.graph, line 1: the file ends before its 2 vertices and 9000000000000000000 edges");
  EXPECT_EQ(problem_of("9000000000000 1\n2\n1\n"),
            "t.graph, line 1: 9000000000000 vertices exceed the limit");
}

}  // namespace
}  // namespace acre::machines
