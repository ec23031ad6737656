// SPDX-License-Identifier: BSD-3-Clause
// Command line of the program, with blanks for control characters.
#pragma once

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

namespace acre::mpi {

[[nodiscard]] inline std::string program() {
  std::ifstream file("/proc/self/cmdline");
  std::string words{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  while (!words.empty() && words.back() == '\0') words.pop_back();
  std::ranges::replace_if(
      words, [](char each) { return static_cast<unsigned char>(each) < ' '; }, ' ');
  return words;
}

}  // namespace acre::mpi
