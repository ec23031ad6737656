// Counting: all ranks take texts from the supply and count their k-mers in one
// distributed hash map, which grows between rounds.
#pragma once

#include <acre/acre.hpp>
#include <acre/container/buffered.hpp>
#include <acre/container/hash_map.hpp>

#include <apps/genome/kmer.hpp>
#include <apps/genome/output_file.hpp>
#include <apps/genome/share.hpp>
#include <apps/genome/table_filling.hpp>
#include <apps/genome/totals.hpp>
#include <apps/kmers/histogram.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace acre::kmers {

using namespace genome;

/// The canonical k-mers of all inputs and how often each occurs.
///
/// Counts have 32 bits as long as none can come to exceed them, and 64 from then on.
/// @tparam Words  of a k-mer
template <std::size_t Words>
class counter {
 public:
  using narrow_table = hash_map<kmer<Words>, std::uint32_t, kmer_hash>;
  using wide_table = hash_map<kmer<Words>, std::uint64_t, kmer_hash>;

  /// Collective. @param most_narrow  that a count in a narrow table is let come to; for tests
  counter(std::vector<input> inputs, unsigned k,
          std::uint64_t most_narrow = std::numeric_limits<std::uint32_t>::max())
      : inputs_(std::move(inputs)),
        k_(k),
        most_narrow_(most_narrow),
        counts_(std::in_place_type<narrow_table>, world(),
                first_capacity(inputs_, possible_kmers(k))) {}

  /// Counts everything. Collective.
  totals count() {
    table_filling filling(inputs_, k_, possible_kmers(k_));
    if (!count_into(std::get<narrow_table>(counts_), filling, narrow_bound{this, &filling})) {
      widen();
      static_cast<void>(count_into(std::get<wide_table>(counts_), filling, no_bound{}));
    }
    rounds_ = filling.rounds();
    return add_up(mine_);
  }

  /// How many rounds that took.
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

  /// Writes a line "KMER occurrences" for each k-mer, through rank 0. Collective.
  void write_counts(const std::string& path) const {
    // Rank 0 gathers a part of everybody's lines at a time.
    std::vector<std::pair<kmer<Words>, std::uint64_t>> mine;
    mine.reserve(std::visit([](const auto& counts) { return counts.local_size(); }, counts_));
    for_each_local([&](const kmer<Words>& word, std::uint64_t occurrences) {
      mine.emplace_back(word, occurrences);
    });
    std::ranges::sort(mine);
    constexpr std::size_t part = 100'000;
    const std::uint64_t most = world().allreduce(mine.size(), op::max);
    std::optional<output_file> file;
    if (rank() == 0) file.emplace(path);
    for (std::uint64_t begin = 0; begin < most; begin += part) {
      std::string lines;
      for (std::size_t i = begin; i < std::min(mine.size(), static_cast<std::size_t>(begin) + part);
           ++i) {
        lines += to_string(mine[i].first, k_);
        lines += ' ';
        lines += std::to_string(mine[i].second);
        lines += '\n';
      }
      for (const std::string& text : world().gather(lines, 0)) file->write(text);
    }
    if (file) file->commit();
    barrier();
  }

 private:
  template <class Function>
  void for_each_local(Function&& f) const {
    std::visit([&](const auto& counts) { counts.for_each_local(f); }, counts_);
  }

  /// Ends a round, and the filling, before narrow counts could wrap.
  struct narrow_bound {
    counter* counts;
    const table_filling* filling;

    std::optional<std::uint64_t> allow(std::uint64_t bytes) const {
      const std::uint64_t budget = std::min(bytes, counts->most_narrow_ / 4);
      // Rounds may bring a little more than their budget.
      if (counts->may_exceed(2 * (budget + filling->least_round()))) return std::nullopt;
      return budget;
    }
    void note(std::uint64_t bytes) const { counts->check_exceeded(bytes); }
  };

  /// Counts until there is no more text, or the bound ends it.
  template <class Table, class Bound>
  bool count_into(Table& counts, table_filling& filling, Bound&& bound) {
    buffered writer(counts, counting);
    const auto take = [&](const record& read, std::uint64_t carried) {
      mine_.add(read, carried);
      for_each_canonical_kmer<Words>(read.sequence, k_, [&](const kmer<Words>& word) {
        ++mine_.kmers;
        writer.add(word);
      });
    };
    return filling.fill(counts, writer, take, bound);
  }

  /// Whether a count may exceed what a narrow one is let come to, when so many more bytes of text
  /// are counted. Looks at the counts only when the sum of all could be one k-mer's. Collective.
  [[nodiscard]] bool may_exceed(std::uint64_t bytes) {
    if (highest_ + bytes <= most_narrow_) return false;
    std::uint64_t mine = 0;
    for_each_local([&](const kmer<Words>&, std::uint64_t occurrences) {
      mine = std::max<std::uint64_t>(mine, occurrences);
    });
    highest_ = world().allreduce(mine, op::max);
    return highest_ + bytes > most_narrow_;
  }

  /// After so many bytes of text. What no budget foresees is a record that is a text of its own.
  void check_exceeded(std::uint64_t bytes) {
    highest_ += bytes;
    if (highest_ <= most_narrow_) return;
    throw error("acre-kmers", "a record is too long for its k-mers to be counted right",
                "split records of more than a billion letters");
  }

  /// Moves all counts to a table of wide ones. Collective.
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
  std::uint64_t most_narrow_;
  std::uint64_t highest_ = 0;  ///< no count is higher, while they are narrow
  std::variant<narrow_table, wide_table> counts_;
  totals mine_;
  unsigned rounds_ = 0;
};

}  // namespace acre::kmers
