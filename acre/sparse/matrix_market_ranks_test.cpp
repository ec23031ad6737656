// Files of Matrix Market: what is written is read again, and what is wrong with a file is one error
// on all ranks, which names the line.
#include <acre/algorithm/files_test.hpp>
#include <acre/base/error.hpp>
#include <acre/sparse/matrix_market.hpp>
#include <acre/sparse/random_matrix_test.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace {

using acre::files_test::error_of;
using acre::files_test::folder;
using acre::files_test::read_file;
using acre::files_test::write_file;
using acre::sparse_test::expect_matrix;
using acre::sparse_test::random_table;
using acre::sparse_test::spread;
using acre::sparse_test::table;
using acre::sparse_test::table_of;

TEST(MatrixMarket, IsReadAsItWasWritten) {
  const folder here;
  for (const std::size_t rows : {0U, 1U, 31U}) {
    const table all = random_table(rows, 17, 0.3, 1);
    table_of<double> thirds;
    table_of<acre::present> places;
    for (const auto& [place, value] : all) {
      thirds[place] = static_cast<double>(value) / 3;
      places[place];
    }
    acre::store_matrix_market(here / "a", spread(all, rows, 17));
    expect_matrix(acre::load_matrix_market<long>(acre::world(), here / "a"), all);
    acre::store_matrix_market(here / "b", spread(thirds, rows, 17));
    expect_matrix(acre::load_matrix_market<double>(acre::world(), here / "b"), thirds);
    acre::store_matrix_market(here / "c", spread(places, rows, 17));
    expect_matrix(acre::load_matrix_market<acre::present>(acre::world(), here / "c"), places);
    expect_matrix(acre::load_matrix_market<acre::present>(acre::world(), here / "b"), places);
  }
}

TEST(MatrixMarket, TakesWhatTheFormatAllows) {
  const folder here;
  write_file(here / "a",
             "%%matrixmarket MATRIX Coordinate Real Symmetric\r\n% words\n%\n\n 3 3 3 \r\n"
             "1 1 +1.5\r\n\n3\t1  -2e-1 \n3 2 7");
  expect_matrix(
      acre::load_matrix_market<double>(acre::world(), here / "a"),
      table_of<double>{{{0, 0}, 1.5}, {{2, 0}, -0.2}, {{0, 2}, -0.2}, {{2, 1}, 7}, {{1, 2}, 7}});
  write_file(here / "b", "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 4\n");
  expect_matrix(acre::load_matrix_market<int>(acre::world(), here / "b"),
                table_of<int>{{{1, 0}, 4}, {{0, 1}, -4}});
  write_file(here / "c", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n2 3\n");
  expect_matrix(acre::load_matrix_market<int>(acre::world(), here / "c"),
                table_of<int>{{{1, 2}, 1}});
  write_file(here / "d",
             "%%MatrixMarket matrix coordinate real general\n1 2 2\n1 1 1e-400\n1 2 1e-50\n");
  expect_matrix(acre::load_matrix_market<float>(acre::world(), here / "d"),
                table_of<float>{{{0, 0}, 0}, {{0, 1}, 0}});
}

/// Expects that loading fails with a problem that has this text, the same on all ranks.
void expect_refused(const folder& here, const std::string& content, const std::string& text) {
  write_file(here / "bad", content);
  const std::string problem = error_of(
      [&] { static_cast<void>(acre::load_matrix_market<int>(acre::world(), here / "bad")); });
  EXPECT_NE(problem.find(text), std::string::npos) << content << "\nsaid: " << problem;
  EXPECT_NE(problem.find("bad"), std::string::npos) << problem;
  EXPECT_EQ(acre::world().broadcast(problem, 0), problem);
}

TEST(MatrixMarket, NamesTheLineThatIsWrong) {
  const folder here;
  const std::string head = "%%MatrixMarket matrix coordinate integer general\n";
  expect_refused(here, "", "line");
  expect_refused(here, "1 2 3\n", "line 1: the file does not begin with %%MatrixMarket");
  expect_refused(here, "%%MatrixMarket matrix array real general\n", "line 1: the layout");
  expect_refused(here, "%%MatrixMarket matrix coordinate complex general\n", "line 1: entries are");
  expect_refused(here, "%%MatrixMarket matrix coordinate integer hermitian\n", "line 1: the symm");
  expect_refused(here, head + "% nothing else\n", "the file ends before");
  expect_refused(here, head + "%\n3 3\n", "line 3: the line ends before the number of entries");
  expect_refused(here, head + "3 3 -1\n", "line 2: \"-1\" is not the number of entries");
  expect_refused(here, head + "3 99999999999999999999 1\n", "line 2: \"99999999999999999999\"");
  expect_refused(here, head + "3 4294967296 0\n", "line 2: a matrix of 3 rows");
  expect_refused(here, head + "4611686018427387904 3 0\n", "line 2: a matrix of 46");
  expect_refused(here, head + "3 3 2\n1 1 5\n", "line 2: there should be 2 entries, and 1 follow");
  expect_refused(here, head + "3 3 1\n1 1 5\n2 2 5\n", "line 2: there should be 1 entries, and 2");
  expect_refused(here, head + "3 3 2\n1 1 5\n4 1 5\n", "line 4: there is no place in row 4");
  expect_refused(here, head + "3 3 2\n\n1 1 5\n1 0 5\n", "line 5: there is no place in row 1");
  expect_refused(here, head + "3 3 1\n1 1\n", "line 3: the line ends before the value");
  expect_refused(here, head + "3 3 1\n1 1 7" + std::string(1, '\0') + "\n", "line 3: \"7?\" is no");
  expect_refused(here, head + "3 3 2\n2 3 5\n2 3 6\n",
                 "row 2 has two entries in column 3, both counted from 1");
  expect_refused(here, head + "3 3 2\n1 1 7\n2", "line 4: the line ends before the number of a");
  expect_refused(here, head + "3 3 1\n1 1 NaN\n", "line 3: \"NaN\" is no finite number");
  expect_refused(here, head + "3 3 1\n1 1 1.5\n", "line 3: \"1.5\" is no finite number");
  expect_refused(here, head + "3 3 1\n1 1 99999999999\n", "line 3: \"99999999999\" is out of");
  expect_refused(here, head + "3 3 1\n1 1 5 5\n", "line 3: the line goes on with \"5\"");
  expect_refused(here, head + "3 3 1\n% late\n1 1 5\n", "line 3: \"%\" is not");
  expect_refused(here, head + "3 3 1\n" + std::string(70'000, '1'), "line 3: the line is longer");
}

TEST(MatrixMarket, NamesWhatBreaksTheSymmetry) {
  const folder here;
  const std::string head = "%%MatrixMarket matrix coordinate integer symmetric\n";
  expect_refused(here, head + "3 2 0\n", "line 2: a symmetric matrix has as many columns");
  expect_refused(here, head + "3 3 1\n1 3 5\n", "line 3: the entry lies above the diagonal");
  expect_refused(here, "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n1 1 4\n",
                 "line 3: the entry lies on the diagonal");
}

TEST(MatrixMarket, NamesTheNumberThatHasNoNegative) {
  const folder here;
  const std::string head = "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n";
  expect_refused(here, head + "2 1 5\n3 1 -2147483648\n", "line 4: the negative of \"-214748");
  write_file(here / "a", head + "2 1 -128\n3 1 127\n");
  EXPECT_NE(error_of([&] {
              static_cast<void>(acre::load_matrix_market<std::int8_t>(acre::world(), here / "a"));
            }).find("line 3: the negative of \"-128\""),
            std::string::npos);
  EXPECT_EQ(acre::load_matrix_market<short>(acre::world(), here / "a").get(0, 1), short{128});
}

TEST(MatrixMarket, TakesACutForItsMembers) {
  const folder here;
  write_file(here / "a", "%%MatrixMarket matrix coordinate integer general\n9 9 1\n9 9 1\n");
  EXPECT_THROW(static_cast<void>(acre::load_matrix_market<int>(
                   acre::world(), here / "a", acre::row_cut::equal(9, acre::size() + 1))),
               acre::error);
}

TEST(MatrixMarket, NamesTheFirstOfManyWrongLines) {
  const folder here;
  std::string text = "%%MatrixMarket matrix coordinate integer general\n9 9 60\n";
  for (int i = 0; i < 60; ++i) text += i < 40 ? "1 1 1\n" : "1 10 1\n";
  expect_refused(here, text, "line 43: there is no place in row 1 and column 10");
}

TEST(MatrixMarket, RefusesNumbersThatAreNotFinite) {
  const folder here;
  const std::string head = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 ";
  for (const char* const text : {"nan", "-inf", "infinity", "1e999", "1e", "0x1p3", ""}) {
    write_file(here / "bad", head + text + "\n");
    EXPECT_NE(error_of([&] {
                static_cast<void>(acre::load_matrix_market<double>(acre::world(), here / "bad"));
              }).find("line 3"),
              std::string::npos)
        << text;
  }
}

TEST(MatrixMarket, RefusesEqualPlaces) {
  const folder here;
  write_file(here / "a", "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 1\n1 1 2\n");
  EXPECT_THROW(static_cast<void>(acre::load_matrix_market<int>(acre::world(), here / "a")),
               acre::error);
  EXPECT_THROW(static_cast<void>(acre::load_matrix_market<int>(acre::world(), here / "none")),
               acre::error);
}

TEST(MatrixMarket, LeavesTheFileAsItWasWhereItCannotBeWritten) {
  const folder here;
  write_file(here / "a", "before");
  const double infinite = std::numeric_limits<double>::infinity();
  const auto matrix = spread(table_of<double>{{{0, 0}, 1.0}, {{7, 7}, infinite}}, 8, 8);
  EXPECT_THROW(acre::store_matrix_market(here / "a", matrix), acre::error);
  acre::barrier();
  EXPECT_EQ(read_file(here / "a"), "before");
  EXPECT_EQ(here.files(), 1U);
}

}  // namespace
