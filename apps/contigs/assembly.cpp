// SPDX-License-Identifier: BSD-3-Clause
#include <apps/contigs/assembly.hpp>

#include <apps/contigs/kmer_graph.hpp>
#include <apps/contigs/kmer_list.hpp>
#include <apps/contigs/stitching.hpp>
#include <apps/contigs/walks.hpp>
#include <apps/genome/inputs.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace acre::contigs {
namespace {

template <std::size_t Words>
contig_set walk_and_stitch(const node_map<Words>& nodes, const spelling<Words>& letters) {
  segment_list<Words> mine = walker<Words>(nodes, letters).walk_all();
  const auto texts = world().gather(mine.letters, 0);
  const auto segments = world().gatherv(std::span<const segment<Words>>(mine.segments), 0);
  if (rank() != 0) return {};
  std::vector<segment_list<Words>> lists;
  stitcher<Words> paths(letters);
  for (std::size_t r = 0; r < texts.size(); ++r) lists.push_back({segments[r], texts[r]});
  for (const auto& list : lists) paths.add(list);
  return contig_set(paths.sequences());
}

template <std::size_t Words, class Word>
node_list<Words> read_uu(std::span<const input> inputs, const parameters& how, totals& all) {
  const spelling<Words> letters(how.k);
  return read_nodes<Words, Word>(
      inputs, how.k, {how.min_quality, how.phred}, all,
      [&](const kmer<Words>& word, const extension_counts<Word>& counts) -> std::optional<links> {
        if (counts.occurrences() < least_occurrences) return std::nullopt;
        const unsigned left = counts.unique_base(side::left, how.min_depth);
        const unsigned right = counts.unique_base(side::right, how.min_depth);
        if (left == no_base || right == no_base) return std::nullopt;
        return make_uu(letters, word, left, right);
      });
}

template <std::size_t Words>
node_list<Words> read_chosen(std::span<const input> inputs, const parameters& how, totals& all) {
  if (how.unitigs) return read_solid<Words>(inputs, how.k, all);
  if (how.min_depth <= extension_counts<std::uint32_t>::most) {
    return read_uu<Words, std::uint32_t>(inputs, how, all);
  }
  return read_uu<Words, std::uint64_t>(inputs, how, all);
}

template <std::size_t Words>
assembly finish(node_map<Words>& nodes, const parameters& how) {
  const spelling<Words> letters(how.k);
  assembly made;
  made.k = how.k;
  made.nodes = nodes.size();
  if (!how.unitigs) drop_turned_down(nodes, letters);
  made.contigs = walk_and_stitch(nodes, letters);
  return made;
}

template <std::size_t Words>
assembly assemble(node_list<Words> mine, const parameters& how) {
  const spelling<Words> letters(how.k);
  node_map<Words> nodes = make_nodes(mine);
  mine = {};
  if (how.unitigs) find_candidates(nodes, letters);
  join(nodes, letters);
  return finish(nodes, how);
}

template <std::size_t Words>
struct listed_nodes {
  node_list<Words> inner;
  node_list<Words> ends;
  bool one_sided = false;
};

template <std::size_t Words>
listed_nodes<Words> read_listed(std::span<const std::string> files, const spelling<Words>& letters,
                                listed which) {
  listed_nodes<Words> mine;
  const auto take = [&](std::string_view text, char left, char right) {
    const auto word = genome::to_kmer<Words>(text);
    const kmer<Words> node = letters.canonical(word);
    unsigned before = std::min(unsigned{base_code(left)}, no_base);
    unsigned after = std::min(unsigned{base_code(right)}, no_base);
    if (node != word) before = complement(std::exchange(after, complement(before)));
    if (before == no_base || after == no_base) {
      mine.one_sided = mine.one_sided || before != after;
      mine.ends.emplace_back(node, make_end(letters, node, before, after));
    } else if (const auto uu = make_uu(letters, node, before, after)) {
      mine.inner.emplace_back(node, *uu);
    }
  };
  read_lists(files, letters.k(), rank(), size(), take, which);
  return mine;
}

void check_each_once(std::uint64_t nodes, std::uint64_t lines) {
  if (nodes == lines) return;
  throw error("acre-contigs",
              "duplicate k-mer in the list; a k-mer and its reverse complement are the same",
              "list each k-mer once");
}

/// Contigs including the list's ends; empty if `how.ends` is `found` and the list is not closed.
/// Collective.
template <std::size_t Words>
std::optional<assembly> assemble_with_ends(const listed_nodes<Words>& mine, const parameters& how) {
  const spelling<Words> letters(how.k);
  node_list<Words> both = mine.inner;
  both.insert(both.end(), mine.ends.begin(), mine.ends.end());
  const std::uint64_t lines = world().allreduce(both.size());
  node_map<Words> nodes = make_nodes(both);
  both = {};
  join(nodes, letters);
  if (how.ends == list_ends::joined) {
    check_each_once(nodes.size(), lines);
  } else if (nodes.size() != lines || !is_closed(nodes, letters)) {
    return std::nullopt;
  }
  assembly made = finish(nodes, how);
  made.ends_joined = true;
  return made;
}

template <std::size_t Words>
assembly assemble_listed(listed_nodes<Words> mine, const parameters& how) {
  const std::uint64_t ends = world().allreduce(mine.ends.size());
  const bool may_end = world().allreduce(mine.one_sided ? 1 : 0) != 0;
  if (how.ends == list_ends::joined || may_end) {
    if (auto made = assemble_with_ends(mine, how)) {
      made->ends = ends;
      return std::move(*made);
    }
  }
  mine.ends = {};
  const std::uint64_t lines = world().allreduce(mine.inner.size());
  assembly made = assemble(std::move(mine.inner), how);
  check_each_once(made.nodes, lines);
  made.ends = ends;
  return made;
}

}  // namespace

assembly assemble_reads(std::span<const std::string> files, const parameters& how) {
  const std::vector<input> inputs = inspect_all("acre-contigs", {files.begin(), files.end()});
  return with_words_for(how.k, [&]<std::size_t Words>() {
    totals all;
    assembly made = assemble(read_chosen<Words>(inputs, how, all), how);
    made.read = all;
    return made;
  });
}

assembly assemble_list(std::span<const std::string> files, const parameters& how) {
  return with_words_for(how.k, [&]<std::size_t Words>() {
    const listed which = how.ends == list_ends::dropped ? listed::inner : listed::all;
    return assemble_listed(read_listed(files, spelling<Words>(how.k), which), how);
  });
}

}  // namespace acre::contigs
