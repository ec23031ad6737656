// SPDX-License-Identifier: BSD-3-Clause
// Builds the graph whose paths are contigs: of UU k-mers (unique extensions, Meraculous), or of all
// k-mers seen at least twice (unitigs).
#pragma once

#include <acre/acre.hpp>
#include <acre/container/hash/buffered.hpp>
#include <acre/container/hash/hash_map.hpp>

#include <apps/contigs/extensions.hpp>
#include <apps/contigs/links.hpp>
#include <apps/genome/share.hpp>
#include <apps/genome/table_filling.hpp>
#include <apps/genome/totals.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acre::contigs {

template <std::size_t Words>
using node_map = hash_map<kmer<Words>, links, kmer_hash>;

inline constexpr unsigned least_occurrences = 2;

/// Updates only existing keys.
template <class Operand, class F>
struct changing_rule {
  template <class V>
  using operand = Operand;
  static constexpr bool runs_user_code = false;

  template <class Part, class K>
  auto apply(Part& part, typename Part::bucket_type* /*home*/, const K& key, std::uint64_t hash,
             const Operand& with) const {
    return part.modify(key, hash, [&](auto& value) noexcept { F{}(value, with); });
  }
};

struct add_candidate {
  void operator()(links& node, const introduction& from) const noexcept {
    node.add_candidate(from.to, from.base);
  }
};
struct join_if_wanted {
  void operator()(links& node, const introduction& from) const noexcept {
    const unsigned wanted = node.wanted(from.to);
    if (wanted == from.base) {
      node.join(from.to);
    } else if (wanted != no_base) {
      node.turn_down(from.to, from.base);
    }
  }
};
struct give_up {
  void operator()(links& node, const introduction& /*from*/) const noexcept { node.give_up(); }
};
struct part {
  void operator()(links& node, const introduction& from) const noexcept { node.part(from.to); }
};

template <std::size_t Words>
using node_list = std::vector<std::pair<kmer<Words>, links>>;

/// Map of all ranks' nodes; keys need not be local. Collective.
template <std::size_t Words>
[[nodiscard]] node_map<Words> make_nodes(const node_list<Words>& mine) {
  const std::uint64_t most = world().allreduce(mine.size(), op::max);
  node_map<Words> nodes(world(), (most * 5 / 3 + 16) * size());
  {
    buffered writer(nodes, inserting);
    for (const auto& [node, of_node] : mine) writer.insert(node, of_node);
    writer.flush_and_grow(0.8);
  }
  return nodes;
}

struct quality_bound {
  unsigned least = 0;
  unsigned phred = 0;  ///< quality offset; 0: unknown, 33 assumed
  [[nodiscard]] char least_letter() const {
    return static_cast<char>(std::min(least + (phred == 0 ? 33 : phred), 127U));
  }
};

template <std::size_t Words, class Word>
using extension_table = hash_map<kmer<Words>, extension_counts<Word>, kmer_hash>;

/// Counts all k-mers with extensions. Collective.
template <std::size_t Words, class Word>
[[nodiscard]] extension_table<Words, Word> count_extensions(std::span<const input> inputs,
                                                            unsigned k,
                                                            const quality_bound& quality,
                                                            totals& all) {
  extension_table<Words, Word> table(
      world(), genome::first_capacity<std::pair<kmer<Words>, extension_counts<Word>>>(
                   inputs, possible_kmers(k)));
  totals mine;
  {
    buffered writer(
        table, updating<occurrence>([](extension_counts<Word>& counts,
                                       const occurrence& more) noexcept { counts.add(more); }));
    table_filling filling(inputs, k + 1, possible_kmers(k));
    std::vector<std::uint8_t> extensions;
    const char least = quality.least_letter();
    const auto take = [&](const record& read, std::uint64_t carried) {
      mine.add(read, carried);
      for_each_occurrence<Words>(read, carried, k, least, extensions,
                                 [&](const kmer<Words>& word, const occurrence& seen) {
                                   mine.kmers += seen.counts;
                                   writer.update(word, seen);
                                 });
    };
    static_cast<void>(filling.fill(table, writer, take, no_bound{}));
    if (quality.least > 0) check_qualities(inputs, filling.contents(), quality.phred);
  }
  all = add_up(mine);
  return table;
}

/// Nodes by `choose(k-mer, counts)`, which returns optional links. Collective.
template <std::size_t Words, class Word, class Choose>
[[nodiscard]] node_list<Words> read_nodes(std::span<const input> inputs, unsigned k,
                                          const quality_bound& quality, totals& all,
                                          Choose&& choose) {
  const auto table = count_extensions<Words, Word>(inputs, k, quality, all);
  node_list<Words> chosen;
  table.for_each_local([&](const kmer<Words>& word, const extension_counts<Word>& counts) {
    if (const auto node = choose(word, counts)) chosen.emplace_back(word, *node);
  });
  return chosen;
}

/// Prevents overflow of 32-bit counts, of which only "above 1" matters.
template <class Table>
class clamping_bound {
 public:
  explicit clamping_bound(Table& counts) : counts_(&counts) {}

  void note(std::uint64_t bytes) {
    highest_ += bytes;
    if (highest_ < most) return;
    counts_->for_each_local([&](const auto& word, std::uint32_t occurrences) {
      if (occurrences > least_occurrences) counts_->insert_or_assign(word, least_occurrences);
    });
    highest_ = least_occurrences;
    barrier();
  }
  std::optional<std::uint64_t> allow(std::uint64_t bytes) { return std::min(bytes, most); }

 private:
  static constexpr std::uint64_t most = std::uint64_t{1} << 30;
  Table* counts_;
  std::uint64_t highest_ = 0;
};

template <std::size_t Words>
[[nodiscard]] node_list<Words> read_solid(std::span<const input> inputs, unsigned k, totals& all) {
  using entry = std::pair<kmer<Words>, std::uint32_t>;
  hash_map<kmer<Words>, std::uint32_t, kmer_hash> table(
      world(), genome::first_capacity<entry>(inputs, possible_kmers(k)));
  totals mine;
  {
    buffered writer(table, counting);
    table_filling filling(inputs, k, possible_kmers(k));
    const auto take = [&](const record& read, std::uint64_t carried) {
      mine.add(read, carried);
      genome::for_each_canonical_kmer<Words>(read.sequence, k, [&](const kmer<Words>& word) {
        ++mine.kmers;
        writer.add(word);
      });
    };
    static_cast<void>(filling.fill(table, writer, take, clamping_bound(table)));
  }
  all = add_up(mine);
  node_list<Words> chosen;
  table.for_each_local([&](const kmer<Words>& word, std::uint32_t occurrences) {
    if (occurrences >= least_occurrences) chosen.emplace_back(word, links());
  });
  return chosen;
}

/// Node with a base on both sides. A palindrome's bases must agree, else it is a fork.
template <std::size_t Words>
[[nodiscard]] std::optional<links> make_uu(const spelling<Words>& letters, const kmer<Words>& node,
                                           unsigned left, unsigned right) {
  const bool palindrome = letters.is_palindrome(node);
  if (palindrome && left != complement(right)) return std::nullopt;
  links wants;
  wants.add_candidate(side::left, left);
  if (!palindrome) wants.add_candidate(side::right, right);
  return wants;
}

/// Node with optional bases (no_base: the path ends), in a palindrome on one side.
template <std::size_t Words>
[[nodiscard]] links make_end(const spelling<Words>& letters, const kmer<Words>& node, unsigned left,
                             unsigned right) {
  const bool palindrome = letters.is_palindrome(node);
  links wants;
  if (left != no_base) wants.add_candidate(side::left, left);
  if (right != no_base) {
    wants.add_candidate(palindrome ? side::left : side::right,
                        palindrome ? complement(right) : right);
  }
  return wants;
}

/// Calls `say(node, links, tell)` for all nodes; `tell(side, base)` applies `Do` to a neighbour's
/// links. Collective.
template <class Do, std::size_t Words, class Say>
void tell_neighbours(node_map<Words>& nodes, const spelling<Words>& letters, Say&& say) {
  {
    buffered<node_map<Words>, changing_rule<introduction, Do>> writer(nodes);
    nodes.for_each_local([&](const kmer<Words>& node, const links& of_node) {
      say(node, of_node, [&](side s, unsigned base) {
        introduce(letters, node, s, base, [&](const kmer<Words>& to, const introduction& says) {
          writer.update(to, says);
        });
      });
    });
    writer.flush();
  }
  barrier();
}

/// Registers every node with its neighbours. Collective.
template <std::size_t Words>
void find_candidates(node_map<Words>& nodes, const spelling<Words>& letters) {
  tell_neighbours<add_candidate>(nodes, letters,
                                 [](const kmer<Words>&, const links&, const auto& tell) {
                                   for (const side s : {side::left, side::right}) {
                                     for (unsigned base = 0; base < 4; ++base) tell(s, base);
                                   }
                                 });
}

template <std::size_t Words>
void join(node_map<Words>& nodes, const spelling<Words>& letters) {
  tell_neighbours<join_if_wanted>(
      nodes, letters, [&](const kmer<Words>& node, const links& of_node, const auto& tell) {
        for (const side s : {side::left, side::right}) {
          const unsigned base = of_node.wanted(s);
          if (base == no_base) continue;
          const bool itself = letters.canonical(letters.beside(node, s, base)) == node;
          if (!itself) tell(s, base);
        }
      });
}

/// True if every base leads to a node that leads back; after join(). Collective.
template <std::size_t Words>
[[nodiscard]] bool is_closed(const node_map<Words>& nodes, const spelling<Words>& letters) {
  std::uint64_t open = 0;
  nodes.for_each_local([&](const kmer<Words>& node, const links& of_node) {
    for (const side s : {side::left, side::right}) {
      const unsigned base = of_node.wanted(s);
      if (base == no_base || of_node.is_joined(s)) continue;
      const bool to_itself = letters.canonical(letters.beside(node, s, base)) == node;
      open += to_itself ? 0 : 1;
    }
  });
  return world().allreduce(open) == 0;
}

/// Removes nodes that a wanted neighbour does not want: it is inside another path. Not for unitigs,
/// where this is a fork. Collective.
template <std::size_t Words>
void drop_turned_down(node_map<Words>& nodes, const spelling<Words>& letters) {
  tell_neighbours<give_up>(nodes, letters,
                           [](const kmer<Words>&, const links& of_node, const auto& tell) {
                             if (!of_node.has_turned_down_any()) return;
                             for (const side s : {side::left, side::right}) {
                               for (unsigned base = 0; base < 4; ++base) {
                                 if (of_node.has_turned_down(s, base)) tell(s, base);
                               }
                             }
                           });
  std::vector<kmer<Words>> dropped;
  tell_neighbours<part>(nodes, letters,
                        [&](const kmer<Words>& node, const links& of_node, const auto& tell) {
                          if (!of_node.has_given_up()) return;
                          dropped.push_back(node);
                          for (const side s : {side::left, side::right}) {
                            if (of_node.is_joined(s)) tell(s, of_node.wanted(s));
                          }
                        });
  for (const kmer<Words>& node : dropped) nodes.erase(node);
  barrier();
}

}  // namespace acre::contigs
