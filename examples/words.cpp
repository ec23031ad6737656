// SPDX-License-Identifier: BSD-3-Clause
// Word count with a shared queue of lines and a distributed map.
//
//   acre run -n 4 example-words
#include <acre/acre.hpp>

#include <array>
#include <cstdio>
#include <sstream>
#include <string>

int main() {
  using namespace acre::guarantees;
  const acre::job job;
  constexpr std::array lines{"the quick brown fox jumps over the lazy dog",
                             "the dog sleeps and the fox runs on", "what the dog dreams of"};

  acre::circular_queue<std::string> work(acre::world(), acre::hosted_by{0}, 100);
  acre::counting_map<std::string> counts(acre::world(), 1000);
  if (acre::rank() == 0) {
    for (const char* line : lines) work.push(line, only<push>);
  }
  acre::barrier();

  while (const auto line = work.pop(only<pop>)) {  // each rank takes the next line when idle
    std::istringstream words(*line);
    for (std::string word; words >> word;) counts.add(word);
  }

  const std::uint64_t different = counts.size();  // all have counted before
  if (acre::rank() == 0) {
    std::printf("%zu words, \"the\" %zu times, \"cat\" %zu times\n",
                static_cast<std::size_t>(different), static_cast<std::size_t>(counts.count("the")),
                static_cast<std::size_t>(counts.count("cat")));
  }
  acre::barrier();
}
