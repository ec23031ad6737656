// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/yaml_text.hpp>

#include <acre/machines/networks/tested_reader_test.hpp>

#include <gtest/gtest.h>

namespace acre::machines {
namespace {

constexpr tested_reader read(parse_yaml, "file");

TEST(YamlText, ReadsListsAndObjectsByIndentation) {
  const json_value root = read(
      "---\n"
      "# two of them\n"
      "- name: a  # the first\n"
      "  sizes:\n"
      "  - 4\n"
      "  - 16\n"
      "- name: \"b # no comment\"\n"
      "  inside:\n"
      "    nodes: n[1-4],m\n"
      "    empty:\n"
      "-\n"
      "  name: c\n");
  ASSERT_EQ(root.is, json_value::kind::list);
  ASSERT_EQ(root.values.size(), 3U);
  EXPECT_EQ(root.values[0].find("name")->text, "a");
  EXPECT_EQ(root.values[0].find("sizes")->values[1].number, 16);
  EXPECT_EQ(root.values[0].find("sizes")->values[1].line, 6U);
  EXPECT_EQ(root.values[1].find("name")->text, "b # no comment");
  EXPECT_EQ(root.values[1].find("inside")->find("nodes")->text, "n[1-4],m");
  EXPECT_EQ(root.values[1].find("inside")->find("empty")->is, json_value::kind::null);
  EXPECT_EQ(root.values[2].find("name")->text, "c");
}

TEST(YamlText, ReadsShortForms) {
  const json_value root = read("a: {x: 0, y: 'two', z: [1, b, {}]}\nb: true\nc: 01\n");
  EXPECT_EQ(root.find("a")->find("y")->text, "two");
  EXPECT_EQ(root.find("a")->find("z")->values.size(), 3U);
  EXPECT_EQ(root.find("b")->is, json_value::kind::boolean);
  EXPECT_EQ(root.find("b")->number, 1);
  EXPECT_EQ(root.find("c")->text, "01") << "a number keeps its text";
}

TEST(YamlText, NamesTheLineThatIsWrong) {
  read.expect_wrong({{"a: 1\n  b: 2\n", "file:2: the indentation differs"},
                     {"a: 1\n\tb: 2\n", "file:2: the line is indented with a tab"},
                     {"a: 1\na: 2\n", "file:2: duplicate key 'a'"},
                     {"a: &x 1\n", "file:1: this part of YAML is unsupported"},
                     {"a: 1\n---\nb: 1\n", "file:2: a second document"}});
  for (const char* text : {"", "# nothing\n", "a: [1, 2\n", "a: {x 1}\n", "a: 'x\n", "a: \"x\" y\n",
                           "a: |\n  text\n", "a: {x: }\n", "a: 1\nb\n", "a: [1 2] 3\n"}) {
    EXPECT_NE(read.wrong(text), "no error") << text;
  }
  read.expect_wrong({{"a: " + std::string(100, '['), "too deeply"}});
  std::string deep;
  for (std::size_t i = 0; i < 100; ++i) deep += std::string(i, ' ') + "a:\n";
  read.expect_wrong({{deep, "too deeply"}});
}

}  // namespace
}  // namespace acre::machines
