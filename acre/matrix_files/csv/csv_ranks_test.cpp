// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/compare.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/array/array.hpp>
#include <acre/base/error.hpp>
#include <acre/matrix_files/csv/csv.hpp>
#include <acre/matrix_files/files_test.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace {

using namespace acre::files_test;

/// Error of load_csv<T>(name), on all ranks.
template <class T>
std::string csv_error_of(const std::string& name, const acre::csv_options& options = {}) {
  try {
    static_cast<void>(acre::load_csv<T>(acre::world(), name, options));
  } catch (const acre::error& failed) {
    return failed.problem();
  }
  return "no error";
}

TEST(CsvSmoke, WhatIsStoredIsReadAgain) {
  const folder here;
  with_tables([&](auto& m) {
    acre::generate_with_index(m, number);
    acre::store_csv(here / "m.csv", m);
    EXPECT_EQ(here.files(), 1U);
    const auto again = acre::load_csv<std::int32_t>(acre::world(), here / "m.csv");
    if (m.size() != 0) {
      EXPECT_EQ(again.extents(), m.extents());
    }
    expect_numbers(again);
    acre::barrier();
  });
}

TEST(Csv, KeepsTheBitsOfNumbers) {
  const folder here;
  acre::matrix<double, 2> m(acre::world(), {30, 3}, [](std::size_t i, std::size_t j) {
    return std::ldexp(1.0 / static_cast<double>(i + 3), static_cast<int>(40 * j) - 40);
  });
  m(0, 0) = std::numeric_limits<double>::infinity();
  m(1, 0) = std::numeric_limits<double>::denorm_min();
  acre::barrier();
  acre::store_csv(here / "d.csv", m, {.delimiter = '\t', .header = "a\tb\tc"});
  const auto again =
      acre::load_csv<double>(acre::world(), here / "d.csv", {.delimiter = '\t', .header_lines = 1});
  EXPECT_TRUE(acre::equal_on_all(m, again));
}

TEST(Csv, IsTheTextOfRows) {
  const folder here;
  acre::array<int> a(acre::world(), 3, [](std::size_t i) { return static_cast<int>(i) - 1; });
  acre::store_csv(here / "a.csv", a, {.header = "x"});
  EXPECT_EQ(read_file(here / "a.csv"), "x\n-1\n0\n1\n");
  acre::barrier();
  acre::matrix<std::int8_t, 2> m(acre::world(), {2, 2}, std::int8_t{65});
  acre::store_csv(here / "m.csv", m, {.delimiter = ' '});
  EXPECT_EQ(read_file(here / "m.csv"), "65 65\n65 65\n");
  acre::barrier();
}

TEST(Csv, ReadsFilesOfOthers) {
  const folder here;
  write_file(here / "b.csv", "\r\n# station, day\r\n 1 , +2,3e2\r\n\n4,-5,nan # end\n0,0,1");
  const auto m = acre::load_csv<double>(acre::world(), here / "b.csv");
  ASSERT_EQ(m.extents(), (acre::layout::coordinates<2>{3, 3}));
  EXPECT_EQ(m(0, 1), 2.0);
  EXPECT_EQ(m(0, 2), 300.0);
  EXPECT_EQ(m(2, 2), 1.0);
  EXPECT_TRUE(std::isnan(double(m(1, 2))));
  acre::barrier();
  write_file(here / "c.txt", "x  y\n1 \t 2\n3 4  \n");
  const auto c =
      acre::load_csv<float>(acre::world(), here / "c.txt", {.delimiter = ' ', .header_lines = 1});
  ASSERT_EQ(c.extents(), (acre::layout::coordinates<2>{2, 2}));
  EXPECT_EQ(c(1, 1), 4.0F);
  acre::barrier();
  write_file(here / "e.csv", "# nothing\n");
  EXPECT_EQ(acre::load_csv<float>(acre::world(), here / "e.csv").size(), 0U);
  acre::barrier();
  write_file(here / "bom.csv",
             "\xEF\xBB\xBF"
             "1;2\n");
  const auto marked = acre::load_csv<int>(acre::world(), here / "bom.csv", {.delimiter = ';'});
  ASSERT_EQ(marked.extents(), (acre::layout::coordinates<2>{1, 2}));
  EXPECT_EQ(marked(0, 0), 1);
  acre::barrier();
}

TEST(Csv, ReadsLinesThatSpanMembers) {
  const folder here;
  std::string line(5000, '1');
  for (std::size_t i = 1; i < line.size(); i += 2) line[i] = ',';
  line.pop_back();
  write_file(here / "long.csv", line + "\n" + line + "\n");
  const auto m = acre::load_csv<int>(acre::world(), here / "long.csv");
  EXPECT_EQ(m.extents(), (acre::layout::coordinates<2>{2, 2500}));
  EXPECT_EQ(m(1, 2499), 1);
  acre::barrier();
}

TEST(Csv, RefusesDelimitersOfNumbers) {
  const folder here;
  write_file(here / "d.csv", "152\n");
  const acre::array<int> a(acre::world(), 3);
  for (const char delimiter : {'5', 'e', '-', '.', '#', '\n'}) {
    EXPECT_NE(csv_error_of<int>(here / "d.csv", {.delimiter = delimiter}).find("the delimiter"),
              std::string::npos);
    EXPECT_THROW(acre::store_csv(here / "s.csv", a, {.delimiter = delimiter}), acre::error);
  }
  const char own = acre::rank() == 0 ? 'e' : ',';
  EXPECT_NE(csv_error_of<int>(here / "d.csv", {.delimiter = own}), "no error");
  EXPECT_THROW(acre::store_csv(here / "s.csv", a, {.delimiter = own}), acre::error);
  acre::barrier();
}

TEST(Csv, NamesTheFirstInvalidLine) {
  const folder here;
  std::string text;
  for (int i = 0; i < 50; ++i) text += "1,2\n";
  write_file(here / "x.csv", "h\n" + text + "1,x\n" + text + "1\n");
  EXPECT_NE(csv_error_of<int>(here / "x.csv", {.header_lines = 1})
                .find(", line 52: invalid value 'x' in column 2"),
            std::string::npos);
  write_file(here / "y.csv", text + "\n1,2,3\n" + text);
  EXPECT_NE(csv_error_of<int>(here / "y.csv").find(", line 52: 3 values after rows of 2"),
            std::string::npos);
  write_file(here / "z.csv", text + "300,1\n");
  EXPECT_NE(
      csv_error_of<std::int8_t>(here / "z.csv").find(", line 51: invalid value '300' in column 1"),
      std::string::npos);
  write_file(here / "t.csv", "1\t2\n\t3\n");
  EXPECT_NE(csv_error_of<int>(here / "t.csv", {.delimiter = '\t'})
                .find(", line 2: invalid value '' in column 1"),
            std::string::npos);
  write_file(here / "s.csv", "+1,-2\n+-2,1\n");
  EXPECT_NE(csv_error_of<int>(here / "s.csv").find(", line 2: invalid value '+-2'"),
            std::string::npos);
  EXPECT_NE(csv_error_of<int>(here / "none.csv"), "no error");
  acre::matrix<int, 3> cube(acre::world(), {2, 2, 2});
  EXPECT_THROW(acre::store_csv(here / "c.csv", cube), acre::error);
  acre::barrier();
}

}  // namespace
