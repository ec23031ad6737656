// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/csr/random_matrix_test.hpp>
#include <acre/matrix_files/files_test.hpp>
#include <acre/matrix_files/matrix_market/matrix_market.hpp>
#include <acre/matrix_files/matrix_market/wrong_texts_test.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <zlib.h>

namespace {

using namespace acre::sparse_test;
using namespace acre::files_test;

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

template <class T>
auto load_text(const std::string& text) {
  const folder here;
  write_file(here / "a", text);
  return acre::load_matrix_market<T>(acre::world(), here / "a");
}

TEST(MatrixMarket, TakesWhatProgramsWrite) {
  const auto load = [](const std::string& text) {
    return load_text<double>("\xEF\xBB\xBF%%MatrixMarket matrix " + text);
  };
  using doubles = table_of<double>;
  expect_matrix(load("coordinate real general\n2 2 2\n% between\n1 1 1.5D+00\n%\n2 2 -2d-1\n"),
                doubles{{{0, 0}, 1.5}, {{1, 1}, -0.2}});
  expect_matrix(load("coordinate real symmetric\n3 3 2\n1 3 5\n2 1 6\n"),
                doubles{{{0, 2}, 5}, {{2, 0}, 5}, {{0, 1}, 6}, {{1, 0}, 6}});
  expect_matrix(load("coordinate real skew-symmetric\n3 3 3\n2 2 0.0\n2 1 6\n2 3 -7\n"),
                doubles{{{1, 1}, 0}, {{1, 0}, 6}, {{0, 1}, -6}, {{1, 2}, -7}, {{2, 1}, 7}});
  const double infinite = std::numeric_limits<double>::infinity();
  expect_matrix(load("coordinate real general\n1 2 2\n1 1 inf\n1 2 -Infinity\n"),
                doubles{{{0, 0}, infinite}, {{0, 1}, -infinite}});
  EXPECT_TRUE(std::isnan(load("coordinate real general\n1 1 1\n1 1 NaN\n").get(0, 0).value()));
  expect_matrix(load("coordinate integer general\n1 2 2\n1 1 -9007199254740992\n"
                     "1 2 4611686018427387904\n"),
                doubles{{{0, 0}, -9007199254740992.0}, {{0, 1}, 4611686018427387904.0}});
}

TEST(MatrixMarket, ReadsArraysColumnByColumnWithoutZeros) {
  const auto load = [](const std::string& text) {
    return load_text<int>("%%MatrixMarket matrix array " + text);
  };
  using ints = table_of<int>;
  expect_matrix(load("integer general\n3 2\n1\n0\n3\n% between\n\n4\n5\n0\n"),
                ints{{{0, 0}, 1}, {{2, 0}, 3}, {{0, 1}, 4}, {{1, 1}, 5}});
  expect_matrix(load("integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"), ints{{{0, 0}, 1},
                                                                         {{1, 0}, 2},
                                                                         {{0, 1}, 2},
                                                                         {{2, 0}, 3},
                                                                         {{0, 2}, 3},
                                                                         {{1, 1}, 4},
                                                                         {{2, 1}, 5},
                                                                         {{1, 2}, 5},
                                                                         {{2, 2}, 6}});
  expect_matrix(
      load("integer skew-symmetric\n3 3\n2\n3\n5\n"),
      ints{{{1, 0}, 2}, {{0, 1}, -2}, {{2, 0}, 3}, {{0, 2}, -3}, {{2, 1}, 5}, {{1, 2}, -5}});
  expect_matrix(load("integer general\n0 3\n"), ints{});
}

TEST(MatrixMarket, ReadsComplexNumbers) {
  const folder here;
  using number = std::complex<double>;
  write_file(here / "a",
             "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 1 2\n");
  expect_matrix(acre::load_matrix_market<number>(acre::world(), here / "a"),
                table_of<number>{{{0, 0}, 3}, {{1, 0}, {1, 2}}, {{0, 1}, {1, -2}}});
  expect_matrix(acre::load_matrix_market<acre::present>(acre::world(), here / "a"),
                table_of<acre::present>{{{0, 0}, {}}, {{1, 0}, {}}, {{0, 1}, {}}});
  const auto again = acre::load_matrix_market<number>(acre::world(), here / "a");
  acre::store_matrix_market(here / "b", again);
  expect_matrix(acre::load_matrix_market<number>(acre::world(), here / "b"),
                table_of<number>{{{0, 0}, 3}, {{1, 0}, {1, 2}}, {{0, 1}, {1, -2}}});
}

/// Completes entries below the diagonal.
template <class T, class F>
table_of<T> completed(table_of<T> all, F&& mirrored) {
  for (const auto& [place, value] : table_of<T>(all)) {
    all[{place.second, place.first}] = mirrored(value);
  }
  return all;
}

template <class T>
void expect_stored(const table_of<T>& all, acre::market_symmetry symmetry,
                   const std::string& banner) {
  const folder here;
  acre::store_matrix_market(here / "a", spread(all, 4, 4), symmetry);
  const std::string text = read_file(here / "a");
  EXPECT_EQ(text.substr(0, text.find('\n')), "%%MatrixMarket matrix coordinate " + banner);
  expect_matrix(acre::load_matrix_market<T>(acre::world(), here / "a"), all);
}

TEST(MatrixMarket, StoresHalfOfAMatrixWithASymmetry) {
  using acre::market_symmetry;
  using number = std::complex<float>;
  const table_of<number> lower{{{0, 0}, 3}, {{2, 0}, {1, 2}}, {{3, 1}, {0, -1}}, {{3, 3}, -7}};
  expect_stored(completed(lower, [](number x) { return std::conj(x); }), market_symmetry::hermitian,
                "complex hermitian");
  expect_stored(completed(lower, [](number x) { return x; }), market_symmetry::symmetric,
                "complex symmetric");
  const table_of<number> strict{{{2, 0}, {1, 2}}, {{3, 1}, {0, -1}}};
  expect_stored(completed(strict, [](number x) { return -x; }), market_symmetry::skew,
                "complex skew-symmetric");
  const auto same = [](auto x) { return x; };
  expect_stored(completed(table_of<double>{{{1, 1}, 2.5}, {{3, 0}, -1}}, same),
                market_symmetry::symmetric, "real symmetric");
  expect_stored(completed(table_of<int>{{{1, 0}, 2}, {{3, 0}, -1}}, [](int x) { return -x; }),
                market_symmetry::skew, "integer skew-symmetric");
  expect_stored(completed(table_of<acre::present>{{{1, 1}, {}}, {{3, 0}, {}}}, same),
                market_symmetry::symmetric, "pattern symmetric");
}

template <class T>
void expect_not_symmetric(const table_of<T>& all, acre::market_symmetry symmetry,
                          const std::string& part, std::size_t columns = 4) {
  const folder here;
  const auto a = spread(all, 4, columns);
  expect_same_error(error_of([&] { acre::store_matrix_market(here / "a", a, symmetry); }), part,
                    part);
  EXPECT_EQ(here.files(), 0U);
}

TEST(MatrixMarket, StoresNoHalfOfAMatrixWithoutTheSymmetry) {
  using acre::market_symmetry;
  using number = std::complex<double>;
  const table_of<number> real{{{1, 0}, 2}, {{0, 1}, 2}};
  table_of<number> turned = real;
  turned[{3, 3}] = {0, 1};
  expect_not_symmetric(turned, market_symmetry::hermitian, "not hermitian: compare entries (3, 3)");
  expect_not_symmetric(real, market_symmetry::skew, "not skew-symmetric: compare entries (0, 1)");
  using integers = table_of<int>;
  expect_not_symmetric(integers{{{2, 3}, 1}}, market_symmetry::symmetric, "compare entries (2, 3)");
  expect_not_symmetric(integers{{{3, 2}, 1}, {{2, 1}, 5}}, market_symmetry::symmetric,
                       "compare entries (1, 2)");
  constexpr int least = std::numeric_limits<int>::min();
  expect_not_symmetric(integers{{{2, 3}, least}, {{3, 2}, least}}, market_symmetry::skew,
                       "compare entries (2, 3)");
  expect_not_symmetric(integers{}, market_symmetry::hermitian, "real numbers cannot be hermitian");
  expect_not_symmetric(table_of<unsigned>{}, market_symmetry::skew, "entries without sign");
  expect_not_symmetric(table_of<acre::present>{}, market_symmetry::skew, "entries without sign");
  expect_not_symmetric(integers{}, market_symmetry::symmetric, "not 4 by 5", 5);
}

TEST(MatrixMarket, RefusesDifferentSymmetriesOfMembers) {
  if (!acre::base::has_checks || acre::size() == 1) GTEST_SKIP() << "needs ACRE_CHECKS and members";
  const folder here;
  const auto a = spread(table_of<int>{{{1, 1}, 1}}, 4, 4);
  const auto symmetry =
      acre::rank() == 0 ? acre::market_symmetry::symmetric : acre::market_symmetry::general;
  expect_error(error_of([&] { acre::store_matrix_market(here / "a", a, symmetry); }), "symmetry: ");
}

std::string compressed(std::string text) {
  std::string made(text.size() + 1024, '\0');
  z_stream state{};
  EXPECT_EQ(deflateInit2(&state, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  state.next_in = reinterpret_cast<Bytef*>(text.data());
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(made.data());
  state.avail_out = static_cast<uInt>(made.size());
  EXPECT_EQ(deflate(&state, Z_FINISH), Z_STREAM_END);
  made.resize(made.size() - state.avail_out);
  deflateEnd(&state);
  return made;
}

TEST(MatrixMarket, ReadsCompressedFiles) {
  const folder here;
  constexpr std::size_t rows = 60'000;
  std::string text = "%%MatrixMarket matrix coordinate integer general\n60000 60000 60000\n";
  for (std::size_t i = 1; i <= rows; ++i) {
    text += std::to_string(i) + " " + std::to_string(rows + 1 - i) + " " + std::to_string(i) + "\n";
  }
  const std::size_t half = text.size() / 2;
  write_file(here / "a", compressed(text.substr(0, half)) + compressed(text.substr(half)));
  const auto matrix = acre::load_matrix_market<int>(acre::world(), here / "a");
  EXPECT_EQ(matrix.entries(), rows);
  const auto local = matrix.local();
  for (std::size_t row = 0; row < local.count; ++row) {
    ASSERT_EQ(local.end_of(row) - local.begin_of(row), 1U);
    EXPECT_EQ(local.columns[local.begin_of(row)], rows - 1 - (local.first + row));
    EXPECT_EQ(local.value(local.begin_of(row)), static_cast<int>(local.first + row + 1));
  }
}

TEST(MatrixMarket, RefusesDamagedCompressedFilesOnAllRanks) {
  const folder here;
  const std::string path = here / "a.mtx.gz";
  const std::string whole =
      compressed("%%MatrixMarket matrix coordinate complex hermitian\n3 3 2\n1 1 3 0\n2 1 1 2\n");
  using number = std::complex<double>;
  const auto load = [&] { return acre::load_matrix_market<number>(acre::world(), path); };
  const auto expect_damaged = [&](const std::string& content) {
    write_file(path, content);
    expect_same_error(error_of([&] { static_cast<void>(load()); }),
                      "the gzip data is damaged or incomplete", path);
  };
  write_file(path, whole);
  expect_matrix(load(), table_of<number>{{{0, 0}, 3}, {{1, 0}, {1, 2}}, {{0, 1}, {1, -2}}});
  for (std::size_t size = 2; size < whole.size(); size += 17) expect_damaged(whole.substr(0, size));
  for (std::size_t at = 12; at < whole.size(); at += 19) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    expect_damaged(flipped);
  }
  expect_damaged(whole + "\x1f\x8b nonsense");
  expect_damaged("\x1f\x8b nonsense");
}

void expect_refused(const folder& here, const std::string& content, const std::string& text) {
  expect_file_refused(here, content, text, [](const std::string& path) {
    return acre::load_matrix_market<int>(acre::world(), path);
  });
}

TEST(MatrixMarket, NamesTheLineThatIsWrong) {
  const folder here;
  for (const auto& [content, part] : wrong_texts("integer")) expect_refused(here, content, part);
  const std::string head = "%%MatrixMarket matrix coordinate integer general\n";
  expect_refused(here, "%%MatrixMarket matrix array pattern general\n",
                 "line 1: layout array and field pattern");
  const std::string array = "%%MatrixMarket matrix array integer general\n";
  expect_refused(here, array + "2 2\n1\n2\n3\n", "line 2: there should be 4 entries, but 3 follow");
  expect_refused(here, array + "1 2\n1\n2\n3\n", "line 5: the file has more than the 2 entries");
  expect_refused(here, array + "1 2\n1\nx\n", "line 4: 'x' is not a number");
  expect_refused(here, "%%MatrixMarket matrix coordinate integer hermitian\n", "line 1: the symm");
  expect_refused(here, head + "% nothing else\n", "the file ends before");
  expect_refused(here, head + "%\n3 3\n", "line 3: the line ends before the number of entries");
  expect_refused(here, head + "3 99999999999999999999 1\n", "line 2: '99999999999999999999'");
  expect_refused(here, head + "3 4294967296 0\n", "line 2: a matrix of 3 rows");
  expect_refused(here, head + "4611686018427387904 3 0\n", "line 2: a matrix of 46");
  expect_refused(here, head + "3 3 2\n\n1 1 5\n1 0 5\n", "line 5: row 1, column 0 is out of range");
  expect_refused(here, head + "3 3 1\n1 1\n", "line 3: the line ends before the value");
  expect_refused(here, head + "3 3 1\n1 1 7" + std::string(1, '\0') + "\n", "line 3: '7?' is not");
  expect_refused(here, head + "3 3 2\n2 3 5\n2 3 6\n",
                 "row 2 has two entries in column 3, both counted from 1");
  expect_refused(here, head + "3 3 1\n1 1 NaN\n", "line 3: 'NaN' is not a number");
  expect_refused(here, head + "3 3 1\n1 1 1.5\n", "line 3: '1.5' is not a number");
  expect_refused(here, head + "3 3 1\n1 1 99999999999\n", "line 3: '99999999999' is out of");
  expect_refused(here, head + "3 3 1\n1 1 5 5\n",
                 "line 3: unexpected text at the end of the line: '5'");
  expect_refused(here, head + "3 3 1\n" + std::string(70'000, '1'), "line 3: the line is longer");
}

TEST(MatrixMarket, NamesWhatBreaksTheSymmetry) {
  const folder here;
  const std::string head = "%%MatrixMarket matrix coordinate integer symmetric\n";
  expect_refused(here, head + "3 2 0\n", "line 2: a symmetric matrix must be square, not 3 by 2");
  expect_refused(here, head + "3 3 2\n1 3 5\n3 1 5\n", "two entries in column");
  expect_refused(here, "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n1 1 4\n",
                 "line 3: a diagonal entry of a skew-symmetric matrix is not 0");
}

TEST(MatrixMarket, NamesTheNumberThatHasNoNegative) {
  const folder here;
  const std::string head = "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n";
  expect_refused(here, head + "2 1 5\n3 1 -2147483648\n", "line 4: the negative of '-214748");
  write_file(here / "a", head + "2 1 -128\n3 1 127\n");
  EXPECT_NE(error_of([&] {
              static_cast<void>(acre::load_matrix_market<std::int8_t>(acre::world(), here / "a"));
            }).find("line 3: the negative of '-128'"),
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
  expect_refused(here, text, "line 43: row 1, column 10 is out of range");
}

TEST(MatrixMarket, RefusesNumbersThatTheTypeCannotHold) {
  const folder here;
  const std::string head = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 ";
  for (const char* const text : {"1e999", "-1D400", "1e", "0x1p3", "dd", ""}) {
    write_file(here / "bad", head + text + "\n");
    EXPECT_NE(error_of([&] {
                static_cast<void>(acre::load_matrix_market<double>(acre::world(), here / "bad"));
              }).find("line 3"),
              std::string::npos)
        << text;
  }
  const std::string integers = "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 ";
  for (const char* const text : {"9007199254740993", "-18446744073709551617"}) {
    write_file(here / "bad", integers + text + "\n");
    EXPECT_NE(error_of([&] {
                static_cast<void>(acre::load_matrix_market<double>(acre::world(), here / "bad"));
              }).find("cannot represent exactly"),
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
  const auto matrix = spread(random_table(100, 100, 0.5, 3), 100, 100);
  expect_not_stored_on_full_disk(
      600, [&](const std::string& path) { acre::store_matrix_market(path, matrix); });
}

TEST(MatrixMarket, WritesInfinitiesAndNan) {
  const folder here;
  const double infinite = std::numeric_limits<double>::infinity();
  const table_of<double> all{{{0, 0}, -infinite}, {{7, 7}, infinite}};
  acre::store_matrix_market(here / "a", spread(all, 8, 8));
  expect_matrix(acre::load_matrix_market<double>(acre::world(), here / "a"), all);
}

}  // namespace
