// SPDX-License-Identifier: BSD-3-Clause
// Counts the words of two texts, merges the counts, and evaluates, stores and restores them.
#include <acre/acre.hpp>
#include <acre/algorithm/elements.hpp>
#include <acre/container/hash/hash_checkpoint.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>
#include <unistd.h>

using counts = acre::counting_map<std::string>;

void add_words(counts& to, const char* text) {
  std::istringstream words(text);
  for (std::string word; words >> word;) to.add(word);
}

// Collective: how often words occur, and how many of them more than once.
void evaluate(const char* name, const counts& words) {
  const auto all = acre::transform_reduce_on_all(words, std::uint64_t{0}, acre::op::sum,
                                                 [](const auto& entry) { return entry.second; });
  const auto repeated =
      acre::count_if_on_all(words, [](const auto& entry) { return entry.second > 1; });
  if (acre::rank() == 0) {
    std::printf("%s: %zu words, %zu different ones more than once\n", name,
                static_cast<std::size_t>(all), repeated);
  }
}

int main() {
  const acre::job job;
  const int job_number = acre::world().broadcast(static_cast<int>(::getpid()), 0);
  const std::string path = "words-" + std::to_string(job_number) + ".acre";
  {
    counts words(acre::world(), 100);
    counts more(acre::world(), 100);
    if (acre::rank() == 0) add_words(words, "a rose is a rose is a rose");
    if (acre::rank() == 1) add_words(more, "what is in a name a rose by any other name");
    acre::barrier();
    evaluate("first", words);
    evaluate("second", more);
    words.merge(more);
    evaluate("both", words);
    const acre::hash_statistics all = words.statistics();
    if (acre::rank() == 0) {
      std::printf("%zu of %zu buckets are full\n", static_cast<std::size_t>(all.entries),
                  static_cast<std::size_t>(all.capacity));
    }
    acre::checkpoint(words, path);
  }
  {
    counts words(acre::world(), 10);  // another job can do the same, on any number of ranks
    acre::restore(words, path);
    evaluate("restored", words);
  }
  if (acre::rank() == 0) ::unlink(path.c_str());
}
