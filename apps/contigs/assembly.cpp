#include <apps/contigs/assembly.hpp>

#include <apps/contigs/kmer_graph.hpp>
#include <apps/contigs/kmer_list.hpp>
#include <apps/contigs/stitching.hpp>
#include <apps/contigs/walks.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace acre::contigs {
namespace {

/// The paths of a graph, on rank 0. Collective.
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

/// UU k-mers, with counts in `Word`.
template <std::size_t Words, class Word>
node_list<Words> read_uu(std::span<const input> inputs, const parameters& how, totals& all) {
  const spelling<Words> letters(how.k);
  return read_nodes<Words, Word>(
      inputs, how.k, how.min_quality, all,
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
assembly assemble(node_list<Words> mine, const parameters& how) {
  const spelling<Words> letters(how.k);
  node_map<Words> nodes = make_nodes(mine);
  mine = {};
  assembly made;
  made.k = how.k;
  made.nodes = nodes.size();
  if (how.unitigs) find_candidates(nodes, letters);
  join(nodes, letters);
  if (!how.unitigs) drop_turned_down(nodes, letters);
  made.contigs = walk_and_stitch(nodes, letters);
  return made;
}

}  // namespace

assembly assemble_reads(std::span<const std::string> files, const parameters& how) {
  std::vector<input> inputs;
  for (const std::string& file : files) inputs.push_back(inspect(file));
  return with_words_for(how.k, [&]<std::size_t Words>() {
    totals all;
    assembly made = assemble(read_chosen<Words>(inputs, how, all), how);
    made.read = all;
    return made;
  });
}

assembly assemble_list(std::span<const std::string> files, const parameters& how) {
  return with_words_for(how.k, [&]<std::size_t Words>() {
    const spelling<Words> letters(how.k);
    node_list<Words> mine;
    read_lists(files, how.k, rank(), size(), [&](std::string_view text, char left, char right) {
      const auto word = to_kmer<Words>(text);
      const kmer<Words> node = letters.canonical(word);
      const unsigned before = base_code(left);
      const unsigned after = base_code(right);
      const auto uu = node == word ? make_uu(letters, node, before, after)
                                   : make_uu(letters, node, complement(after), complement(before));
      if (uu) mine.emplace_back(node, *uu);
    });
    const std::uint64_t lines = world().allreduce(mine.size());
    assembly made = assemble(std::move(mine), how);
    if (made.nodes != lines) {
      throw error("acre-contigs", "a k-mer is twice in the list, or with its reverse complement",
                  "give each k-mer once");
    }
    return made;
  });
}

}  // namespace acre::contigs
