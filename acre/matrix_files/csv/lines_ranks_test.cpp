// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/text_array.hpp>
#include <acre/matrix_files/csv/lines.hpp>
#include <acre/matrix_files/files_test.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace {

using acre::files_test::error_of;
using acre::files_test::read_file;
using acre::files_test::write_file;

void expect_lines(const std::string& path, const std::string& content,
                  const std::vector<std::string>& wanted) {
  write_file(path, content);
  const acre::text_array lines = acre::load_lines(acre::world(), path);
  ASSERT_EQ(lines.size(), wanted.size()) << content;
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(lines[i], wanted[i]);
  acre::barrier();
}

TEST(LinesSmoke, AreStringsInTheirOrder) {
  const acre::files_test::folder here;
  const std::string path = here / "lines";
  expect_lines(path, "", {});
  expect_lines(path, "\n", {""});
  expect_lines(path, "one", {"one"});
  expect_lines(path, "one\n\n three\r\nfour", {"one", "", " three\r", "four"});
  std::string content;
  std::vector<std::string> wanted;
  for (std::size_t i = 0; i < 200; ++i) {
    wanted.push_back(std::string(i == 77 ? 100'000 : i * i % 23, static_cast<char>('a' + i % 26)));
    content += wanted.back() + "\n";
  }
  expect_lines(path, content, wanted);
}

TEST(Lines, AreWrittenAsTheyWereRead) {
  const acre::files_test::folder here;
  const std::string path = here / "lines";
  const std::string content = "b\na\n\nlast\n";
  write_file(path, content);
  acre::text_array lines = acre::load_lines(acre::world(), path);
  acre::store_lines(path, lines);
  EXPECT_EQ(read_file(path), content);
  lines = acre::text_array(acre::world(), {"two", "rank " + std::to_string(acre::rank())});
  acre::store_lines(path, lines);
  std::string wanted;
  for (acre::rank_t i = 0; i < acre::size(); ++i) wanted += "two\nrank " + std::to_string(i) + "\n";
  EXPECT_EQ(read_file(path), wanted);
  acre::barrier();
  EXPECT_EQ(here.files(), 1U);
}

TEST(Lines, RefuseMissingFilesAndLineBreaks) {
  const acre::files_test::folder here;
  EXPECT_NE(error_of([&] { static_cast<void>(acre::load_lines(acre::world(), here / "none")); }),
            "no error");
  acre::text_array lines(acre::world(), {acre::rank() + 1 == acre::size() ? "a\nb" : "c"});
  const std::string said = error_of([&] { acre::store_lines(here / "lines", lines); });
  EXPECT_NE(said, "no error");
  if (acre::rank() + 1 == acre::size()) {
    EXPECT_NE(said.find("contains a line break"), std::string::npos) << said;
  }
  acre::barrier();
  EXPECT_EQ(here.files(), 0U);
}

}  // namespace
