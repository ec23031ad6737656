// Counting: all ranks take texts from the supply and count their k-mers in one
// distributed hash map, which grows between rounds.
#pragma once

#include <acre/acre.hpp>
#include <acre/container/buffered.hpp>
#include <acre/container/hash_map.hpp>

#include <apps/genome/chunk_supply.hpp>
#include <apps/genome/kmer.hpp>
#include <apps/genome/output_file.hpp>
#include <apps/genome/pace.hpp>
#include <apps/genome/share.hpp>
#include <apps/genome/shared_progress.hpp>
#include <apps/genome/totals.hpp>
#include <apps/kmers/histogram.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
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
        counts_(std::in_place_type<narrow_table>, world(), first_capacity()) {}

  /// Counts everything. Collective.
  totals count() {
    chunk_supply supply(inputs_, k_);
    shared_progress progress(input_bytes());
    pace speed(supply.least_round());
    if (!count_into(std::get<narrow_table>(counts_), supply, progress, speed)) {
      widen();
      static_cast<void>(count_into(std::get<wide_table>(counts_), supply, progress, speed));
    }
    progress.finish();
    return add_up();
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
  static constexpr double fullest = 0.8;
  static constexpr double grown_at = 0.6;

  template <class Function>
  void for_each_local(Function&& f) const {
    std::visit([&](const auto& counts) { counts.for_each_local(f); }, counts_);
  }

  [[nodiscard]] std::uint64_t input_bytes() const {
    return std::accumulate(inputs_.begin(), inputs_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const input& each) { return sum + each.bytes; });
  }

  /// Sequencing reads hold each k-mer of their genome many times: a table for a
  /// quarter of the bytes on disk is about right for most; it grows for others.
  /// Short k-mers cannot be more than there are.
  [[nodiscard]] std::uint64_t first_capacity() const {
    std::uint64_t guess = std::max<std::uint64_t>(input_bytes() * 3 / 8, std::uint64_t{1} << 16);
    return std::min(guess, 2 * possible_kmers() + 1024);
  }

  /// How many canonical k-mers there are: half of all, and those that are their own complement.
  [[nodiscard]] std::uint64_t possible_kmers() const {
    if (k_ > 30) return std::uint64_t{1} << 60;
    return (std::uint64_t{1} << (2 * k_)) / 2 + (std::uint64_t{1} << k_);
  }

  /// Counts until there is no more text.
  /// @return false when counts could exceed what the table's have bits for
  template <class Table>
  bool count_into(Table& counts, chunk_supply& supply, shared_progress& progress, pace& speed) {
    constexpr bool is_narrow = std::is_same_v<Table, narrow_table>;
    buffered writer(counts, counting);
    std::uint64_t entries = counts.size();
    do {
      if (make_room(counts, entries, speed.least_room())) writer.flush();
      std::uint64_t budget = speed.budget(room_in(counts.capacity(), entries));
      if constexpr (is_narrow) {
        budget = std::min(budget, most_narrow_ / 4);
        // Rounds may bring a little more than their budget.
        if (may_exceed(counts, 2 * (budget + supply.least_round()))) return false;
      }
      supply.begin_round(budget);
      const std::uint64_t bytes = world().allreduce(count_round(supply, writer, progress));
      writer.flush_and_grow(grown_at);
      if constexpr (is_narrow) check_exceeded(bytes);
      const std::uint64_t entries_before = std::exchange(entries, counts.size());
      speed.learn(bytes, entries - entries_before);
      ++rounds_;
    } while (supply.more());
    return true;
  }

  /// For how many more k-mers there is room before the table is slow.
  [[nodiscard]] static std::uint64_t room_in(std::uint64_t capacity, std::uint64_t entries) {
    const auto most = static_cast<std::uint64_t>(static_cast<double>(capacity) * fullest);
    return most < entries ? 0 : most - entries;
  }

  /// Lets the table grow until it has room for so many more k-mers. Collective.
  template <class Table>
  bool make_room(Table& counts, std::uint64_t entries, std::uint64_t more) const {
    const std::uint64_t wanted = std::min(more, possible_kmers() - entries);
    std::uint64_t capacity = counts.capacity();
    while (room_in(capacity, entries) < wanted) capacity *= 2;
    if (capacity == counts.capacity()) return false;
    counts.resize(capacity);
    return true;
  }

  /// Whether a count may exceed what a narrow one is let come to, when so many more bytes of text
  /// are counted. Looks at the counts only when the sum of all could be one k-mer's. Collective.
  [[nodiscard]] bool may_exceed(const narrow_table& counts, std::uint64_t bytes) {
    if (highest_ + bytes <= most_narrow_) return false;
    std::uint64_t mine = 0;
    counts.for_each_local([&](const kmer<Words>&, std::uint32_t occurrences) {
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

  /// @return the bytes of text that this rank has taken
  template <class Writer>
  std::uint64_t count_round(chunk_supply& supply, Writer& writer, shared_progress& progress) {
    std::uint64_t bytes = 0;
    // What finds no room waits in the writer until the table grows: that is no time for more.
    for (supplied_text text; writer.refused() == 0 && supply.next(text);) {
      unsigned since_progress = 0;
      for_each_record(text, inputs_[text.origin.file].path, [&](const record& read) {
        mine_.add(read, text.origin.carried);
        for_each_canonical_kmer<Words>(read.sequence, k_, [&](const kmer<Words>& word) {
          ++mine_.kmers;
          writer.add(word);
        });
        // Others may be waiting for a text from this rank.
        if (++since_progress == 256) {
          since_progress = 0;
          acre::progress();
        }
      });
      bytes += text.text.size();
      progress.add(text.origin.input_bytes);
    }
    supply.end_round();
    return bytes;
  }

  totals add_up() const {
    std::array sums{mine_.records, mine_.letters, mine_.kmers};
    world().allreduce(std::span<std::uint64_t>(sums), op::sum);
    return {.records = sums[0],
            .letters = sums[1],
            .kmers = sums[2],
            .longest = world().allreduce(mine_.longest, op::max)};
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
