// Counting: all ranks take texts from the supply and count their k-mers in one
// distributed hash map, which grows between rounds.
#pragma once

#include <acre/acre.hpp>
#include <acre/container/buffered.hpp>
#include <acre/container/hash_map.hpp>

#include <apps/kmers/chunk_supply.hpp>
#include <apps/kmers/histogram.hpp>
#include <apps/kmers/kmer.hpp>
#include <apps/kmers/output_file.hpp>
#include <apps/kmers/progress_bar.hpp>
#include <apps/kmers/totals.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace acre::kmers {

/// Uniform in all 64 bits.
struct kmer_hash {
  using is_avalanching = void;

  template <std::size_t Words>
  constexpr std::uint64_t operator()(const kmer<Words>& word) const noexcept {
    return word.hash();
  }
};

/// How far all ranks together have read, kept on rank 0 and shown there.
class shared_progress {
 public:
  explicit shared_progress(std::uint64_t total) : bar_(total) {
    if (rank() == 0) done_ = make_global<std::uint64_t>(0U);
    done_ = world().broadcast(done_, 0);
  }
  ~shared_progress() {
    if (rank() == 0) destroy_global(done_);
  }
  shared_progress(const shared_progress&) = delete;
  shared_progress& operator=(const shared_progress&) = delete;

  void add(std::uint64_t bytes) {
    atomic_add_nbi(done_, bytes);
    if (rank() == 0) bar_.update(atomic_load(done_));
  }
  void finish() { bar_.finish(); }

 private:
  progress_bar bar_;
  global_ptr<std::uint64_t> done_;
};

/// The canonical k-mers of all inputs and how often each occurs.
/// @tparam Words  of a k-mer
/// @tparam Count  wide enough for the most frequent k-mer
template <std::size_t Words, class Count>
class counter {
 public:
  using table = hash_map<kmer<Words>, Count, kmer_hash>;

  /// Collective.
  counter(std::vector<input> inputs, unsigned k)
      : inputs_(std::move(inputs)), k_(k), counts_(world(), first_capacity()) {}

  /// Counts everything. Collective.
  totals count() {
    chunk_supply supply(inputs_, k_);
    shared_progress progress(input_bytes());
    buffered writer(counts_, counting);
    double new_kmers_per_byte = 1;
    do {
      const std::uint64_t entries = counts_.size();
      const auto room = static_cast<double>(counts_.capacity()) * fullest -
                        static_cast<double>(entries);
      const auto budget = static_cast<std::uint64_t>(std::max(room, 1e6) / new_kmers_per_byte);
      supply.begin_round(budget);
      const std::uint64_t bytes = count_round(supply, writer, progress);
      writer.flush_and_grow(grown_at);
      const std::uint64_t all_bytes = world().allreduce(bytes);
      // Later texts bring fewer new k-mers than earlier ones; the estimate errs
      // to the safe side, and what finds no room waits in the writer.
      const auto added = static_cast<double>(counts_.size() - entries);
      new_kmers_per_byte =
          std::clamp(added / static_cast<double>(std::max<std::uint64_t>(all_bytes, 1)), 0.01, 1.0);
    } while (supply.more());
    progress.finish();
    return add_up();
  }

  /// Collective; complete on rank 0.
  [[nodiscard]] histogram make_histogram() const {
    histogram mine;
    counts_.for_each_local([&](const kmer<Words>&, Count occurrences) { mine.add(occurrences); });
    const std::vector<histogram::line> lines = mine.lines();
    const auto all = world().gather(lines, 0);
    histogram whole;
    for (const auto& part : all) whole.add(part);
    return whole;
  }

  /// Writes a line "KMER occurrences" for each k-mer, through rank 0. Collective.
  void write_counts(const std::string& path) const {
    // Rank 0 gathers a part of everybody's lines at a time.
    std::vector<std::pair<kmer<Words>, Count>> mine;
    mine.reserve(counts_.local_size());
    counts_.for_each_local(
        [&](const kmer<Words>& word, Count occurrences) { mine.emplace_back(word, occurrences); });
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

  [[nodiscard]] std::uint64_t input_bytes() const {
    return std::accumulate(inputs_.begin(), inputs_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const input& each) { return sum + each.bytes; });
  }

  /// Sequencing reads hold each k-mer of their genome many times: a table for a
  /// quarter of the bytes on disk is about right for most; it grows for others.
  /// Short k-mers cannot be more than there are.
  [[nodiscard]] std::uint64_t first_capacity() const {
    std::uint64_t guess = std::max<std::uint64_t>(input_bytes() * 3 / 8, std::uint64_t{1} << 16);
    if (k_ < 16) guess = std::min(guess, (std::uint64_t{1} << (2 * k_)) + 1024);
    return guess;
  }

  template <class Writer>
  std::uint64_t count_round(chunk_supply& supply, Writer& writer, shared_progress& progress) {
    std::uint64_t bytes = 0;
    for (supplied_text text; supply.next(text);) {
      unsigned since_progress = 0;
      for_each_record(text, inputs_[text.file].path, [&](const record& read) {
        mine_.add(read, text.carried);
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
      progress.add(text.input_bytes);
    }
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
  table counts_;
  totals mine_;
};

}  // namespace acre::kmers
