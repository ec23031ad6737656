// SPDX-License-Identifier: BSD-3-Clause
#include <apps/contigs/assembly.hpp>

#include <apps/contigs/kmer_graph.hpp>
#include <apps/contigs/kmer_list.hpp>
#include <apps/contigs/stitching.hpp>
#include <apps/contigs/walks.hpp>
#include <apps/genome/inputs.hpp>
#include <apps/genome/sorted_lines.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace acre::contigs {
namespace {

/// Times between calls.
class lap_clock {
 public:
  [[nodiscard]] double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(begin_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

template <std::size_t Words>
contig_set stitch(const segment_list<Words>& mine, const spelling<Words>& letters) {
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

/// @param clock  lapped before traversal
template <std::size_t Words>
assembly finish(node_map<Words>& nodes, const parameters& how, lap_clock& clock) {
  const spelling<Words> letters(how.k);
  assembly made;
  made.k = how.k;
  made.nodes = nodes.size();
  if (!how.unitigs) drop_turned_down(nodes, letters);
  const segment_list<Words> mine = walker<Words>(nodes, letters).walk_all();
  barrier();
  made.seconds.traversing = clock.lap();
  made.contigs = stitch(mine, letters);
  barrier();
  made.seconds.stitching = clock.lap();
  return made;
}

template <std::size_t Words>
assembly assemble(node_list<Words> mine, const parameters& how, lap_clock& clock) {
  const spelling<Words> letters(how.k);
  barrier();
  const double reading = clock.lap();
  node_map<Words> nodes = make_nodes(mine);
  barrier();
  const double inserting = clock.lap();
  mine = {};
  if (how.unitigs) find_candidates(nodes, letters);
  join(nodes, letters);
  assembly made = finish(nodes, how, clock);
  made.seconds.reading = reading;
  made.seconds.inserting = inserting;
  return made;
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
std::optional<assembly> assemble_with_ends(const listed_nodes<Words>& mine, const parameters& how,
                                           lap_clock& clock) {
  const spelling<Words> letters(how.k);
  barrier();
  const double reading = clock.lap();
  node_list<Words> both = mine.inner;
  both.insert(both.end(), mine.ends.begin(), mine.ends.end());
  const std::uint64_t lines = world().allreduce(both.size());
  node_map<Words> nodes = make_nodes(both);
  barrier();
  const double inserting = clock.lap();
  both = {};
  join(nodes, letters);
  if (how.ends == list_ends::joined) {
    check_each_once(nodes.size(), lines);
  } else if (nodes.size() != lines || !is_closed(nodes, letters)) {
    return std::nullopt;
  }
  assembly made = finish(nodes, how, clock);
  made.seconds.reading = reading;
  made.seconds.inserting = inserting;
  made.ends_joined = true;
  return made;
}

template <std::size_t Words>
assembly assemble_listed(listed_nodes<Words> mine, const parameters& how, lap_clock& clock) {
  const std::uint64_t ends = world().allreduce(mine.ends.size());
  const bool may_end = world().allreduce(mine.one_sided ? 1 : 0) != 0;
  if (how.ends == list_ends::joined || may_end) {
    if (auto made = assemble_with_ends(mine, how, clock)) {
      made->ends = ends;
      return std::move(*made);
    }
  }
  mine.ends = {};
  const std::uint64_t lines = world().allreduce(mine.inner.size());
  assembly made = assemble(std::move(mine.inner), how, clock);
  check_each_once(made.nodes, lines);
  made.ends = ends;
  return made;
}

template <std::size_t Words, class Word>
listing write_list(std::span<const input> inputs, const parameters& how, const std::string& path) {
  listing all;
  using ends = std::array<char, 2>;
  std::vector<std::pair<kmer<Words>, ends>> mine;
  {
    const auto table =
        count_extensions<Words, Word>(inputs, how.k, {how.min_quality, how.phred}, all.read);
    table.for_each_local([&](const kmer<Words>& word, const extension_counts<Word>& counts) {
      if (counts.occurrences() < least_occurrences) return;
      mine.emplace_back(word, ends{counts.letter(side::left, how.min_depth),
                                   counts.letter(side::right, how.min_depth)});
    });
  }
  all.kmers = world().allreduce(std::uint64_t{mine.size()});
  genome::write_sorted_lines(path, std::move(mine), [&](const auto& each) {
    const auto [left, right] = each.second;
    return genome::to_string(each.first, how.k) + '\t' + left + right + '\n';
  });
  return all;
}

}  // namespace

assembly assemble_reads(std::span<const std::string> files, const parameters& how) {
  const std::vector<input> inputs = inspect_all("acre-contigs", {files.begin(), files.end()});
  return with_words_for(how.k, [&]<std::size_t Words>() {
    totals all;
    lap_clock clock;
    assembly made = assemble(read_chosen<Words>(inputs, how, all), how, clock);
    made.read = all;
    return made;
  });
}

assembly assemble_list(std::span<const std::string> files, const parameters& how) {
  return with_words_for(how.k, [&]<std::size_t Words>() {
    const listed which = how.ends == list_ends::dropped ? listed::inner : listed::all;
    lap_clock clock;
    return assemble_listed(read_listed(files, spelling<Words>(how.k), which), how, clock);
  });
}

listing list_kmers(std::span<const std::string> files, const parameters& how,
                   const std::string& path) {
  const std::vector<input> inputs = inspect_all("acre-contigs", {files.begin(), files.end()});
  return with_words_for(how.k, [&]<std::size_t Words>() {
    return how.min_depth <= extension_counts<std::uint32_t>::most
               ? write_list<Words, std::uint32_t>(inputs, how, path)
               : write_list<Words, std::uint64_t>(inputs, how, path);
  });
}

}  // namespace acre::contigs
