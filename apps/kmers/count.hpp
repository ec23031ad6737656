// SPDX-License-Identifier: BSD-3-Clause
// Counts k-mers in a distributed hash map that grows between rounds. To exclude single sequencing
// errors, a first pass admits only k-mers already in a Bloom filter, and a second counts exactly.
#pragma once

#include <acre/acre.hpp>
#include <acre/container/bloom/bloom_filter.hpp>
#include <acre/container/hash/admitting.hpp>
#include <acre/container/hash/buffered.hpp>
#include <acre/container/hash/hash_map.hpp>

#include <apps/genome/kmer.hpp>
#include <apps/genome/share.hpp>
#include <apps/genome/sorted_lines.hpp>
#include <apps/genome/table_filling.hpp>
#include <apps/genome/totals.hpp>
#include <apps/kmers/histogram.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace acre::kmers {

using namespace genome;

enum class counted_kmers { all, repeated };

/// Canonical k-mers of all inputs with occurrences, of 32 bits until they could overflow, then 64.
/// @tparam Words  per k-mer
template <std::size_t Words>
class counter {
 public:
  using narrow_table = hash_map<kmer<Words>, std::uint32_t, kmer_hash>;
  using wide_table = hash_map<kmer<Words>, std::uint64_t, kmer_hash>;

  /// Collective. @param most_narrow  limit of narrow counts, for tests
  counter(std::vector<input> inputs, unsigned k, counted_kmers which = counted_kmers::all,
          std::uint64_t most_narrow = std::numeric_limits<std::uint32_t>::max())
      : inputs_(std::move(inputs)),
        k_(k),
        which_(which),
        most_narrow_(most_narrow),
        counts_(std::in_place_type<narrow_table>, world(), capacity_to_begin_with()) {}

  /// Counts everything, reading twice for `repeated`. Collective.
  totals count() {
    if (which_ == counted_kmers::repeated) admit_repeated(std::get<narrow_table>(counts_));
    table_filling filling(inputs_, k_, possible_keys());
    if (!count_into(std::get<narrow_table>(counts_), filling, narrow_bound{this, &filling})) {
      widen();
      static_cast<void>(count_into(std::get<wide_table>(counts_), filling, no_bound{}));
    }
    rounds_ += filling.rounds();
    return add_up(mine_);
  }

  [[nodiscard]] unsigned rounds() const noexcept { return rounds_; }
  [[nodiscard]] bool is_wide() const noexcept {
    return std::holds_alternative<wide_table>(counts_);
  }

  /// Collective; complete on rank 0.
  [[nodiscard]] histogram make_histogram() const {
    histogram mine;
    for_each_local([&](const kmer<Words>&, std::uint64_t occurrences) { mine.add(occurrences); });
    const std::vector<histogram::line> lines = mine.lines();
    const auto all = world().gather(lines, 0);
    histogram whole;
    for (const auto& part : all) whole.add(part);
    return whole;
  }

  /// "KMER occurrences" lines in k-mer order, through rank 0. Collective.
  void write_counts(const std::string& path) const {
    std::vector<counted> mine;
    mine.reserve(std::visit([](const auto& counts) { return counts.local_size(); }, counts_));
    for_each_local([&](const kmer<Words>& word, std::uint64_t occurrences) {
      mine.emplace_back(word, occurrences);
    });
    genome::write_sorted_lines(path, std::move(mine), [k = k_](const counted& each) {
      return genome::to_string(each.first, k) + ' ' + std::to_string(each.second) + '\n';
    });
  }

 private:
  using counted = std::pair<kmer<Words>, std::uint64_t>;

  /// Calls f(k-mer, occurrences); skips single ones in `repeated` mode.
  template <class Function>
  void for_each_local(Function&& f) const {
    const std::uint64_t least = which_ == counted_kmers::repeated ? 2 : 1;
    const auto call = [&](const kmer<Words>& word, std::uint64_t occurrences) {
      if (occurrences >= least) f(word, occurrences);
    };
    std::visit([&](const auto& counts) { counts.for_each_local(call); }, counts_);
  }

  [[nodiscard]] std::uint64_t capacity_to_begin_with() const {
    using entry = std::pair<kmer<Words>, std::uint32_t>;
    const std::uint64_t for_all = genome::first_capacity<entry>(inputs_, possible_kmers(k_));
    return which_ == counted_kmers::repeated ? for_all / 2 : for_all;
  }

  [[nodiscard]] std::uint64_t possible_keys() const {
    if (which_ == counted_kmers::all) return possible_kmers(k_);
    return std::get<narrow_table>(counts_).size();
  }

  /// First pass: repeated k-mers, and a few others, enter the table with count 0.
  void admit_repeated(narrow_table& counts) {
    // A false positive costs as much memory as 20 items' filter bits. About 1/4 of a file's bytes
    // are distinct k-mers.
    const std::uint64_t expected =
        std::min({bytes_of(inputs_) / 4, possible_kmers(k_), room_for(sizeof(kmer<Words>))});
    bloom_filter<kmer<Words>, kmer_hash> seen(world(), expected, 0.01);
    table_filling filling(inputs_, k_, possible_kmers(k_));
    buffered writer(counts, admitting_repeated(seen));
    const auto take = [&](const record& read, std::uint64_t) {
      genome::for_each_canonical_kmer<Words>(read.sequence, k_,
                                             [&](const kmer<Words>& word) { writer.add(word); });
    };
    static_cast<void>(filling.fill(counts, writer, take, no_bound{}));
    rounds_ = filling.rounds();
  }

  struct narrow_bound {
    counter* counts;
    const table_filling* filling;

    std::optional<std::uint64_t> allow(std::uint64_t bytes) const {
      const std::uint64_t budget = std::min(bytes, counts->most_narrow_ / 4);
      if (counts->may_exceed(2 * (budget + filling->least_round()))) return std::nullopt;
      return budget;
    }
    void note(std::uint64_t bytes) const { counts->check_exceeded(bytes); }
  };

  template <class Table, class Bound>
  bool count_into(Table& counts, table_filling& filling, Bound&& bound) {
    return which_ == counted_kmers::all ? count_into(counts, filling, bound, counting)
                                        : count_into(counts, filling, bound, counting_present);
  }
  template <class Table, class Bound, class Rule>
  bool count_into(Table& counts, table_filling& filling, Bound&& bound, Rule rule) {
    buffered writer(counts, rule);
    const auto take = [&](const record& read, std::uint64_t carried) {
      mine_.add(read, carried);
      genome::for_each_canonical_kmer<Words>(read.sequence, k_, [&](const kmer<Words>& word) {
        ++mine_.kmers;
        writer.add(word);
      });
    };
    return filling.fill(counts, writer, take, bound);
  }

  /// True if `bytes` more text could exceed the narrow limit. Collective. Scans counts only if the
  /// total could.
  [[nodiscard]] bool may_exceed(std::uint64_t bytes) {
    if (highest_ + bytes <= most_narrow_) return false;
    std::uint64_t mine = 0;
    for_each_local([&](const kmer<Words>&, std::uint64_t occurrences) {
      mine = std::max<std::uint64_t>(mine, occurrences);
    });
    highest_ = world().allreduce(mine, op::max);
    return highest_ + bytes > most_narrow_;
  }

  /// Detects one oversized record, which budgets cannot foresee.
  void check_exceeded(std::uint64_t bytes) {
    highest_ += bytes;
    if (highest_ <= most_narrow_) return;
    throw error("acre-kmers", "a record is too long: the counts of its k-mers could overflow",
                "split records of more than a billion letters");
  }

  void widen() {
    const narrow_table narrow = std::move(std::get<narrow_table>(counts_));
    wide_table wide(world(), narrow.capacity());
    narrow.for_each_local([&](const kmer<Words>& word, std::uint32_t occurrences) {
      wide.insert(word, occurrences);
    });
    counts_ = std::move(wide);
  }

  std::vector<input> inputs_;
  unsigned k_;
  counted_kmers which_;
  std::uint64_t most_narrow_;
  std::uint64_t highest_ = 0;
  std::variant<narrow_table, wide_table> counts_;
  totals mine_;
  unsigned rounds_ = 0;
};

}  // namespace acre::kmers
