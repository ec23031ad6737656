// SPDX-License-Identifier: BSD-3-Clause
// Runs the cases of a file, and prints a line of integers for each.
#include "case.hpp"

#include <cstdio>
#include <fstream>

int main(int count, char** arguments) {
  const acre::job job;
  if (count != 2) return 2;
  std::ifstream file(arguments[1]);
  for (std::string line; std::getline(file, line);) {
    acre::testing::test_case input(line);
    acre::testing::output result;
    if (!acre::testing::run_range_case(input, result)) {
      acre::testing::test_case again(line);
      if (!acre::testing::run_box_case(again, result)) {
        std::fprintf(stderr, "unknown case: %s\n", line.c_str());
        return 1;
      }
    }
    if (acre::rank() != 0) continue;
    std::string text;
    for (const std::int64_t each : result) text += std::to_string(each) + " ";
    std::printf("%s\n", text.c_str());
  }
}
