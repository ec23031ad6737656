// SPDX-License-Identifier: BSD-3-Clause
// An index of a text: for each word the lines in which it occurs.
#include <acre/acre.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>

constexpr std::array lines{"a put writes memory of another rank",
                           "a get reads memory of another rank", "a rank owns memory",
                           "a barrier waits for each rank of a team"};

int main() {
  const acre::job job;
  acre::hash_multimap<std::string, int> index(acre::world(), 1000);
  {
    acre::buffered writer(index, acre::inserting);
    for (std::size_t i = acre::rank(); i < lines.size(); i += acre::size()) {
      std::istringstream words(lines[i]);
      for (std::string word; words >> word;) writer.insert(word, static_cast<int>(i + 1));
    }
  }
  acre::barrier();

  if (acre::rank() == 0) {
    index.erase("a");
    for (const std::string word : {"rank", "memory", "barrier", "a"}) {
      auto found = index.find(word);  // in the order of insertion
      std::ranges::sort(found);
      std::printf("%s:", word.c_str());
      for (const int line : found) std::printf(" %d", line);
      std::printf("\n");
    }
  }
  const std::uint64_t words = index.key_count();  // collective
  const std::uint64_t places = index.size();
  if (acre::rank() == 0) {
    std::printf("%zu words, %zu places\n", static_cast<std::size_t>(words),
                static_cast<std::size_t>(places));
  }
}
