// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/traffic/matrix_market.hpp>

#include <acre/machines/traffic/read_traffic.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace acre::machines {
namespace {

using flow = mapping::traffic::flow;

std::string problem_of(const std::string& text) {
  return problem_with(read_matrix_market, text, "t.mtx");
}

TEST(MatrixMarket, ReadsEntriesAsBytesFromRowToColumn) {
  const mapping::communication read = read_matrix_market(
      "%%MatrixMarket matrix coordinate real general\n \t% who to whom\n\n4 4 3\n1 2 8e6\n3 1 "
      "4096\n"
      "3 1 4\n",
      "t.mtx");
  EXPECT_EQ(read.name, "t.mtx");
  EXPECT_EQ(read.extents, std::vector<std::uint32_t>{4});
  EXPECT_EQ(read.traffic.ranks(), 4U);
  EXPECT_EQ(row(read, 0), (std::vector<flow>{{1, 8e6}}));
  EXPECT_EQ(row(read, 2), (std::vector<flow>{{0, 4100}})) << "entries of the same ends add up";
  EXPECT_EQ(read.traffic.flows(), 2U);
}

TEST(MatrixMarket, ReadsTheGridsThatItsHeadNames) {
  const std::string begin = "%%MatrixMarket matrix coordinate real general\n% program: ./app\n";
  const std::string end = "6 6 1\n1 2 8\n% cartesian communicator: no head\n";
  const mapping::communication read = read_matrix_market(
      begin +
          "% cartesian communicator: dims 2x3 periods 1x0 ranks 0-2,5,4,3\n% cartesian product\n"
          "% graph communicator: ranks 0-5\n\n% cartesian communicator: dims 2 periods 0 ranks "
          "1,4\r\n" +
          end,
      "t");
  ASSERT_EQ(read.known_grids.size(), 2U);
  EXPECT_EQ(read.known_grids[0].extents, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(read.known_grids[0].ranks,
            (std::vector<mapping::known_grid::run>{{0, 2}, {5, 5}, {4, 4}, {3, 3}}));
  EXPECT_EQ(read.known_grids[1].cells(), 2U);
  const auto wrong = [&](const std::string& grid) {
    return problem_of(begin + "% cartesian communicator: " + grid + "\n" + end);
  };
  const std::string line = "t.mtx, line 3: the Cartesian communicator ";
  const std::string of = " of the Cartesian communicator are invalid: ";
  EXPECT_EQ(wrong("ranks 0-5"), line + "has no dims");
  EXPECT_EQ(wrong("dims 2x periods 0 ranks 0"), "t.mtx, line 3: the dims" + of + "'2x'");
  EXPECT_EQ(wrong("dims 2 periods y ranks 0-1"), "t.mtx, line 3: the periods" + of + "'y'");
  EXPECT_EQ(wrong("dims 2 periods 1x1 ranks 0-1"),
            line + "has different numbers of periods and dims");
  EXPECT_EQ(wrong("dims 6 periods 1"), line + "has no ranks");
  for (const char* ranks : {"5-0", "0-", "0,", "a", "0-99999999999", "0-16777216"}) {
    EXPECT_EQ(wrong("dims 6 periods 1 ranks " + std::string(ranks)),
              "t.mtx, line 3: the ranks" + of + "'" + ranks + "'");
  }
  EXPECT_EQ(wrong("dims 7 periods 1 ranks 0-5"),
            line + "has dims that do not match its number of ranks, 6");
  EXPECT_EQ(wrong("dims 4294967295x4294967295 periods 1x1 ranks 0"),
            line + "has dims that do not match its number of ranks, 1");
}

TEST(MatrixMarket, ReadsSymmetricEntriesBothWays) {
  const mapping::communication read = read_matrix_market(
      "%%matrixmarket MATRIX Coordinate Integer Symmetric\r\n3 3 2\r\n2 1 5\r\n3 3 9", "t");
  EXPECT_EQ(row(read, 0), (std::vector<flow>{{1, 5}}));
  EXPECT_EQ(row(read, 1), (std::vector<flow>{{0, 5}}));
  EXPECT_EQ(read.traffic.flows(), 2U) << "what a rank sends to itself is dropped";
}

TEST(MatrixMarket, ReadsEntriesAboveTheDiagonalBothWaysAndWarns) {
  const mapping::communication read = read_matrix_market(
      "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n% upper\n1 2 1D+01\n", "t");
  EXPECT_EQ(row(read, 0), (std::vector<flow>{{1, 10}}));
  EXPECT_EQ(row(read, 1), (std::vector<flow>{{0, 10}}));
  EXPECT_EQ(read.remarks,
            (std::vector<std::string>{
                "t has 1 entries above the diagonal of a symmetric matrix: each counts "
                "in both directions"}));
}

TEST(MatrixMarket, ReadsPatternsAsABytePerEntry) {
  const mapping::communication read =
      read_matrix_market("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1", "t");
  EXPECT_EQ(row(read, 1), (std::vector<flow>{{0, 1}}));
}

TEST(MatrixMarket, ReadsArraysColumnByColumn) {
  const mapping::communication whole =
      read_matrix_market("%%MatrixMarket matrix array real general\n2 2\n9\n1\n2\n9\n", "t");
  EXPECT_EQ(row(whole, 0), (std::vector<flow>{{1, 2}}));
  EXPECT_EQ(row(whole, 1), (std::vector<flow>{{0, 1}}));
  const mapping::communication half =
      read_matrix_market("%%MatrixMarket matrix array real symmetric\n2 2\n9\n1\n9\n", "t");
  EXPECT_EQ(row(half, 0), (std::vector<flow>{{1, 1}}));
  EXPECT_EQ(row(half, 1), (std::vector<flow>{{0, 1}}));
}

TEST(MatrixMarket, SaysFileLineAndWhatIsWrong) {
  const std::string real = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_EQ(problem_of(real + "2 2 1\n1 2 -1\n"), "t.mtx, line 3: the weight '-1' is invalid");
  EXPECT_EQ(problem_of(real + "2 2 1\n1 2 nan\n"), "t.mtx, line 3: the weight 'nan' is invalid");
  EXPECT_EQ(problem_of(real + "2 2 1\n1 2 inf\n"), "t.mtx, line 3: the weight 'inf' is invalid");
  EXPECT_EQ(problem_of(real + "2 2 1\n1 2 \x1b[1m\n"),
            "t.mtx, line 3: '?[1m' is not a number of the requested type");
  EXPECT_EQ(problem_of(real + "2 3 1\n1 2 1\n"), "t.mtx, line 2: the matrix is 2 by 3");
  EXPECT_EQ(problem_of(real + "2 2 1\n3 2 1\n"), "t.mtx, line 3: row 3, column 2 is out of range");
  EXPECT_EQ(problem_of(real + "2 2 1\n1 0 1\n"), "t.mtx, line 3: row 1, column 0 is out of range");
  EXPECT_EQ(problem_of(real + "2 2 1\n1 2 1 7\n"),
            "t.mtx, line 3: unexpected text at the end of the line: '7'");
  EXPECT_EQ(problem_of(real + "2 2 1\n1 2 1\n2 1 1\n"),
            "t.mtx, line 4: the file has more entries than the 1 of the size line");
  EXPECT_EQ(problem_of(real + "2 2 2\n1 2 10000000\n"),
            "t.mtx, line 3: the file ends after 1 of 2 entries");
  EXPECT_EQ(problem_of(real), "t.mtx, line 1: the file ends before its size line");
  EXPECT_EQ(problem_of("%%MatrixMarket matrix coordinate complex general\n"),
            "t.mtx, line 1: the entries are complex");
  EXPECT_EQ(problem_of(""), "t.mtx, line 0: the file does not begin with %%MatrixMarket");
}

TEST(MatrixMarket, RefusesAbsurdSizesBeforeItTakesMemory) {
  const std::string real = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_EQ(problem_of(real + "2 2 1000000000000000\n1 2 1\n"),
            "t.mtx, line 2: the file ends before its 1000000000000000 entries");
  EXPECT_EQ(problem_of(real + "4000000000 4000000000 1\n1 2 1\n"),
            "t.mtx, line 2: 4000000000 ranks exceed the limit");
  EXPECT_EQ(problem_of("%%MatrixMarket matrix array real general\n1000000 1000000\n1\n"),
            "t.mtx, line 2: the file ends before its 1000000000000 entries");
  EXPECT_EQ(problem_of(real + "99999999999999999999 2 1\n1 2 1\n"),
            "t.mtx, line 2: '99999999999999999999' is too large for the number of rows");
}

}  // namespace
}  // namespace acre::machines
