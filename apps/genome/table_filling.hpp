// SPDX-License-Identifier: BSD-3-Clause
// Fills a distributed table, which grows in between, from reads in rounds.
#pragma once

#include <acre/acre.hpp>
#include <acre/runtime/memory.hpp>

#include <apps/genome/chunk_supply.hpp>
#include <apps/genome/content.hpp>
#include <apps/genome/pace.hpp>
#include <apps/genome/shared_progress.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acre::genome {

[[nodiscard]] inline std::uint64_t bytes_of(std::span<const input> inputs) {
  return std::accumulate(inputs.begin(), inputs.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const input& each) { return sum + each.bytes; });
}

/// Number of entries of `bytes` that fit in a quarter of all ranks' free private memory.
/// Collective.
[[nodiscard]] inline std::uint64_t room_for(std::size_t bytes) {
  const std::uint64_t least = world().allreduce(runtime::segment_free().private_part, op::min);
  return least / 4 / bytes * size();
}

/// Initial table capacity, limited by possible k-mers and memory. Collective. Reads repeat each
/// k-mer, so a fraction of file size fits most inputs.
/// @tparam Entry  of the table
template <class Entry>
[[nodiscard]] std::uint64_t first_capacity(std::span<const input> inputs,
                                           std::uint64_t possible_kmers) {
  const std::uint64_t guess =
      std::max<std::uint64_t>(bytes_of(inputs) * 3 / 8, std::uint64_t{1} << 16);
  return std::min({guess, 2 * possible_kmers + 1024, room_for(sizeof(Entry))});
}

struct no_bound {
  /// Bytes of text that the next round may read; empty ends the filling.
  std::optional<std::uint64_t> allow(std::uint64_t bytes) { return bytes; }
  void note(std::uint64_t /*bytes*/) {}
};

/// One pass over all inputs; it may switch tables.
class table_filling {
 public:
  /// Collective; `inputs` must outlive it.
  /// @param window  `window` consecutive letters are never divided between texts
  /// @param possible_keys  upper bound
  table_filling(std::span<const input> inputs, unsigned window, std::uint64_t possible_keys)
      : inputs_(inputs),
        possible_keys_(possible_keys),
        supply_(inputs, window),
        contents_(inputs.size()),
        progress_(bytes_of(inputs)),
        speed_(supply_.least_round()) {}

  /// Calls `take(record, carried)` for all records, of which continued ones repeat `carried`
  /// letters. Collective.
  /// @return false if the bound ended it
  /// @throws acre::error about files; on all ranks if not DNA
  template <class Table, class Writer, class Take, class Bound>
  bool fill(Table& table, Writer& writer, Take&& take, Bound&& bound) {
    std::uint64_t entries = table.size();
    do {
      if (make_room(table, entries)) writer.flush();
      const auto budget = bound.allow(speed_.budget(room_in(table.capacity(), entries)));
      if (!budget) return false;
      supply_.begin_round(*budget);
      const std::uint64_t bytes = world().allreduce(take_round(writer, take));
      writer.flush_and_grow(grown_at);
      bound.note(bytes);
      const std::uint64_t entries_before = std::exchange(entries, table.size());
      speed_.learn(bytes, entries - entries_before);
      ++rounds_;
    } while (supply_.more());
    progress_.finish();
    contents_ = add_up(contents_);
    check_letters(inputs_, contents_);
    return true;
  }

  [[nodiscard]] std::span<const content> contents() const noexcept { return contents_; }

  [[nodiscard]] unsigned rounds() const noexcept { return rounds_; }
  [[nodiscard]] std::uint64_t least_round() const noexcept { return supply_.least_round(); }

 private:
  static constexpr double fullest = 0.8;
  static constexpr double grown_at = 0.6;

  [[nodiscard]] static std::uint64_t room_in(std::uint64_t capacity, std::uint64_t entries) {
    const auto most = static_cast<std::uint64_t>(static_cast<double>(capacity) * fullest);
    return most < entries ? 0 : most - entries;
  }

  /// Collective.
  template <class Table>
  bool make_room(Table& table, std::uint64_t entries) const {
    const std::uint64_t wanted = std::min(speed_.least_room(), possible_keys_ - entries);
    std::uint64_t capacity = table.capacity();
    while (room_in(capacity, entries) < wanted) capacity *= 2;
    if (capacity == table.capacity()) return false;
    table.resize(capacity);
    return true;
  }

  template <class Writer, class Take>
  std::uint64_t take_round(Writer& writer, Take& take) {
    std::uint64_t bytes = 0;
    // Refused entries wait in the writer until the table grows.
    for (supplied_text text; writer.refused() == 0 && supply_.next(text);) {
      unsigned since_progress = 0;
      for_each_record(text, inputs_[text.origin.file].path, [&](const record& read) {
        contents_[text.origin.file].add(read, text.origin.carried);
        take(read, text.origin.carried);
        // Serves ranks that wait for text.
        if (++since_progress == 256) {
          since_progress = 0;
          acre::progress();
        }
      });
      bytes += text.text.size();
      progress_.add(text.origin.input_bytes);
    }
    supply_.end_round();
    return bytes;
  }

  std::span<const input> inputs_;
  std::uint64_t possible_keys_;
  chunk_supply supply_;
  std::vector<content> contents_;
  shared_progress progress_;
  pace speed_;
  unsigned rounds_ = 0;
};

}  // namespace acre::genome
