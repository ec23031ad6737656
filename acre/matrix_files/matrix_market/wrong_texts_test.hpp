// SPDX-License-Identifier: BSD-3-Clause
// Matrix Market files that all readers refuse.
#pragma once

#include <string>
#include <vector>

namespace acre::files_test {

struct wrong_text {
  std::string content;
  std::string part_of_error;
};

[[nodiscard]] inline std::vector<wrong_text> wrong_texts(const std::string& field) {
  const std::string head = "%%MatrixMarket matrix coordinate " + field + " general\n";
  return {{"", "line"},
          {"1 2 3\n", "line 1: the file does not begin with %%MatrixMarket"},
          {"%%MatrixMarket matrix sparse real general\n", "line 1: the layout"},
          {"%%MatrixMarket matrix coordinate complex general\n", "line 1: entries are complex"},
          {head, "the file ends before"},
          {head + "3 3 -1\n", "line 2: '-1' is invalid as the number of entries"},
          {head + "3 3 2\n1 1 5\n", "line 2: there should be 2 entries, but 1 follow"},
          {head + "3 3 1\n1 1 5\n2 2 5\n", "line 2: there should be 1 entries, but 2"},
          {head + "3 3 2\n1 1 5\n4 1 5\n", "line 4: row 4, column 1 is out of range"},
          {head + "3 3 2\n1 1 7\n2", "line 4: the line ends before the column"}};
}

}  // namespace acre::files_test
