// SPDX-License-Identifier: BSD-3-Clause
// The words of a text, in order and without duplicates, and searches in them.
#include <acre/acre.hpp>
#include <acre/text.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

constexpr std::array lines{"a put writes memory of another rank",
                           "a get reads memory of another rank", "a rank owns memory",
                           "a barrier waits for each rank of a team"};

int main() {
  const acre::job job;
  std::vector<std::string> own;  // the words of this rank's lines
  for (std::size_t i = acre::rank(); i < lines.size(); i += acre::size()) {
    std::istringstream line(lines[i]);
    for (std::string word; line >> word;) own.push_back(word);
  }
  acre::text_array words(acre::world(), own);
  const std::size_t all = words.size();
  acre::sort(words);
  acre::unique(words);
  words.rebalance();

  const std::size_t longest = acre::transform_reduce_on_all(
      words, std::size_t{0}, acre::op::max, [](std::string_view word) { return word.size(); });
  const acre::list<std::size_t> places = acre::indices_containing(words, "er");
  if (acre::rank() == 0) {
    std::printf("%zu words, %zu different, of at most %zu bytes\n", all, words.size(), longest);
    std::printf("with er:");
    for (const std::size_t place : places) std::printf(" %s", words[place].c_str());
    std::printf("\nfrom o to q:");
    const std::size_t last = words.lower_bound("r");
    for (std::size_t i = words.lower_bound("o"); i < last; ++i) {
      std::printf(" %s", words[i].c_str());
    }
    std::printf("\n");
  }
  acre::barrier();  // rank 0 reads all words
}
