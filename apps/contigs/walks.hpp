// SPDX-License-Identifier: BSD-3-Clause
// Walks all paths of the graph in parallel, from stop to stop (docs/developers/programs.md). Walks
// are seldom longer than 256 ln(number of nodes).
//
// Circles without milestone have no stop; counting the k-mers on all walks detects them. A second
// pass walks until a stop or a node of smaller order, so only the smallest node returns to itself.
//
// Cost: two look-ups per node; about six more with circles.
#pragma once

#include <acre/acre.hpp>
#include <acre/container/hash/hash_map.hpp>

#include <apps/contigs/kmer_graph.hpp>
#include <apps/contigs/links.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace acre::contigs {

template <std::size_t Words>
struct segment {
  kmer<Words> from;
  kmer<Words> to;
  std::uint64_t length = 0;  ///< letters after `from`; 0: one k-mer
};

template <std::size_t Words>
struct segment_list {
  std::vector<segment<Words>> segments;
  std::string letters;
};

template <std::size_t Words>
class walker {
 public:
  /// The graph must outlive this object, unchanged and complete on all ranks.
  walker(const node_map<Words>& nodes, const spelling<Words>& letters)
      : nodes_(&nodes), letters_(letters) {}

  /// This rank's segments; together they form all paths. Collective.
  [[nodiscard]] segment_list<Words> walk_all() {
    std::uint64_t texts = start_at_stops();
    walk([this](walk_state& at, const word& node, const links& of_node) {
      return is_stop(at.text, node, of_node) ? keep_first(at) : outcome::goes_on;
    });
    texts -= steps_;
    if (world().allreduce(texts) != 0) find_circles();
    return std::move(found_);
  }

 private:
  using word = kmer<Words>;

  struct walk_state {
    word from;
    word text;
    unsigned next_base;
    std::string bases;
  };
  enum class outcome : std::uint8_t { goes_on, ended };

  struct start {
    word text;
    std::uint8_t next_base;
  };

  static constexpr std::size_t most_walks = std::size_t{1} << 14;

  /// Random; independent of the bits that place keys.
  [[nodiscard]] static std::uint64_t order(const word& node) { return std::rotl(node.hash(), 32); }
  [[nodiscard]] static bool is_milestone(const word& node) { return order(node) >> 56 == 0; }

  [[nodiscard]] bool is_stop(const word& text, const word& node, const links& of_node) const {
    return is_milestone(node) || letters_.next_base(text, node, of_node) == no_base;
  }

  /// @return number of texts that all walks must pass
  std::uint64_t start_at_stops() {
    std::uint64_t texts = 0;
    nodes_->for_each_local([&](const word& node, const links& of_node) {
      const unsigned right = of_node.joined(side::right);
      const unsigned left = complement(of_node.joined(side::left));
      if (right == no_base && left == no_base) {
        found_.segments.push_back({node, node, 0});
        return;
      }
      const bool milestone = is_milestone(node);
      if (right != no_base) {
        ++texts;
        if (milestone || left == no_base) add_start(node, right);
      }
      if (left != no_base) {
        ++texts;
        if (milestone || right == no_base) add_start(letters_.reverse(node), left);
      }
    });
    return texts;
  }

  void add_start(const word& text, unsigned next_base) {
    starts_.push_back({text, static_cast<std::uint8_t>(next_base)});
  }

  /// Runs all walks; `arrive(walk, node, links)` decides which end.
  template <class Arrive>
  void walk(Arrive&& arrive) {
    std::vector<walk_state> walks;
    std::vector<word> keys;
    std::vector<std::optional<links>> values;
    std::size_t next = 0;
    while (next != starts_.size() || !walks.empty()) {
      for (; next != starts_.size() && walks.size() < most_walks; ++next) {
        const start& at = starts_[next];
        walks.push_back({at.text, at.text, at.next_base, {}});
      }
      keys.clear();
      for (walk_state& each : walks) {
        each.text = letters_.after(each.text, each.next_base);
        each.bases += "ACGT"[each.next_base];
        keys.push_back(letters_.canonical(each.text));
      }
      steps_ += walks.size();
      values.resize(keys.size());
      nodes_->find_many(keys, std::span(values), guarantees::only<guarantees::find>);
      std::size_t left = 0;
      for (std::size_t i = 0; i < walks.size(); ++i) {
        const links& here = *values[i];
        if (arrive(walks[i], keys[i], here) == outcome::ended) continue;
        walks[i].next_base = letters_.next_base(walks[i].text, keys[i], here);
        if (left != i) walks[left] = std::move(walks[i]);
        ++left;
      }
      walks.resize(left);
      acre::progress();
    }
    starts_.clear();
  }

  outcome keep(const walk_state& done) {
    found_.segments.push_back({done.from, done.text, done.bases.size()});
    found_.letters += done.bases;
    return outcome::ended;
  }
  outcome keep_first(const walk_state& done) {
    return done.from <= letters_.reverse(done.text) ? keep(done) : outcome::ended;
  }

  void find_circles() {
    nodes_->for_each_local([&](const word& node, const links& of_node) {
      const unsigned right = of_node.joined(side::right);
      const unsigned left = of_node.joined(side::left);
      if (right == no_base || left == no_base || is_milestone(node)) return;
      if (comes_before(letters_.canonical(letters_.after(node, right)), node)) return;
      if (comes_before(letters_.canonical(letters_.before(node, left)), node)) return;
      add_start(node, right);
    });
    walk([this](const walk_state& at, const word& node, const links& of_node) {
      if (at.text == at.from) return keep(at);
      const bool over =
          is_stop(at.text, node, of_node) || comes_before(node, letters_.canonical(at.from));
      return over ? outcome::ended : outcome::goes_on;
    });
  }
  [[nodiscard]] static bool comes_before(const word& a, const word& b) {
    return std::pair(order(a), a) < std::pair(order(b), b);
  }

  const node_map<Words>* nodes_;
  spelling<Words> letters_;
  std::vector<start> starts_;
  segment_list<Words> found_;
  std::uint64_t steps_ = 0;
};

}  // namespace acre::contigs
