// SPDX-License-Identifier: BSD-3-Clause
// A tree of words: rank 0 reads them, all ranks insert nodes, and links between nodes are tags.
//
//   acre run -n 4 build/bin/example-bags
#include <acre/acre.hpp>
#include <acre/algorithm/top_k.hpp>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

struct node {
  std::string word;
  std::vector<std::uint64_t> children;  // tags
  friend auto acre_fields(node& x) { return std::tie(x.word, x.children); }
};

// Number of letters below a node; children may be at any rank.
std::size_t letters_below(const acre::tagged_bag<node>& tree, std::uint64_t tag) {
  const std::optional<node> here = tree.find(tag);
  std::size_t letters = here->word.size();
  for (const std::uint64_t child : here->children) letters += letters_below(tree, child);
  return letters;
}

int main() {
  const acre::job job;

  acre::bag<std::string> words(acre::world());
  if (acre::rank() == 0) {
    for (int i = 1; i <= 30; ++i) words.insert(std::string(static_cast<std::size_t>(i), 'a'));
  }
  words.rebalance();  // collective: each rank has as many words, plus or minus one
  const auto longest = acre::top_k_on_all(
      words, 3, [](const std::string& a, const std::string& b) { return a.size() > b.size(); });

  // Each rank inserts a node for each of its words, below one node of its own.
  acre::tagged_bag<node> tree(acre::world());
  node mine{.word = "rank", .children = {}};
  words.for_each(
      [&](const std::string& word) { mine.children.push_back(tree.insert({word, {}})); });
  const std::vector<std::uint64_t> of_ranks = acre::world().allgather(tree.insert(mine));

  const std::size_t nodes = tree.size();  // collective
  if (acre::rank() == 0) {
    std::size_t letters = 0;
    for (const std::uint64_t tag : of_ranks) letters += letters_below(tree, tag);
    std::printf("%zu nodes, %zu letters, longest words: %zu, %zu, %zu\n", nodes, letters,
                longest[0].size(), longest[1].size(), longest[2].size());
    if (nodes != 30 + acre::size() || letters != 465 + 4 * acre::size()) return 1;
    if (longest.size() != 3 || longest[2].size() != 28) return 1;
  }
  acre::barrier();  // rank 0 reads nodes of all ranks
}
