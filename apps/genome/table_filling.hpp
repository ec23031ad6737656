// SPDX-License-Identifier: BSD-3-Clause
// Filling a distributed table with what sequencing reads bring.
//
// All ranks take texts from the supply and hand what they find in the records to a
// buffered writer of the table. The table grows between rounds; each round brings as
// much text as there is room for.
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

/// How many entries of `bytes` each a quarter of the job's memory has room for. Collective.
[[nodiscard]] inline std::uint64_t room_for(std::size_t bytes) {
  const std::uint64_t least = world().allreduce(runtime::segment_free().private_part, op::min);
  return least / 4 / bytes * size();
}

/// The capacity that a table of the inputs' k-mers begins with. Collective.
///
/// Sequencing reads hold each k-mer of their genome many times: a table for a
/// quarter of the bytes on disk is about right for most; it grows for others.
/// Short k-mers cannot be more than there are; and how large a file is says
/// little where it is larger than memory.
/// @tparam Entry  of the table
template <class Entry>
[[nodiscard]] std::uint64_t first_capacity(std::span<const input> inputs,
                                           std::uint64_t possible_kmers) {
  const std::uint64_t guess =
      std::max<std::uint64_t>(bytes_of(inputs) * 3 / 8, std::uint64_t{1} << 16);
  return std::min({guess, 2 * possible_kmers + 1024, room_for(sizeof(Entry))});
}

/// How far a round may go for reasons that only the table's user knows: not at all.
struct no_bound {
  /// Before a round. @return the bytes of text that it may bring, of those that there is room for;
  ///                         nothing to end the filling here
  std::optional<std::uint64_t> allow(std::uint64_t bytes) { return bytes; }
  /// After it. @param bytes that it has brought
  void note(std::uint64_t /*bytes*/) {}
};

/// One pass over all inputs; it may change from one table to another on its way.
class table_filling {
 public:
  /// Collective; the inputs must outlive it.
  /// @param window  letters that are looked at together: each window of a sequence lies in one text
  /// @param possible_keys  no more keys than these can come
  table_filling(std::span<const input> inputs, unsigned window, std::uint64_t possible_keys)
      : inputs_(inputs),
        possible_keys_(possible_keys),
        supply_(inputs, window),
        contents_(inputs.size()),
        progress_(bytes_of(inputs)),
        speed_(supply_.least_round()) {}

  /// Hands all records to `take(record, carried)`, which adds to the writer of the table. (The
  /// first `carried` letters of a record that continues were in the text before, too.) Collective.
  /// @return whether all text was taken: false when the bound has ended it
  /// @throws acre::error about the files, on all ranks when one is no DNA
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

  /// After all text was taken: of each file. The same on all ranks.
  [[nodiscard]] std::span<const content> contents() const noexcept { return contents_; }

  /// How many rounds that took.
  [[nodiscard]] unsigned rounds() const noexcept { return rounds_; }
  /// Bytes of text that a round brings in any case.
  [[nodiscard]] std::uint64_t least_round() const noexcept { return supply_.least_round(); }

 private:
  static constexpr double fullest = 0.8;
  static constexpr double grown_at = 0.6;

  /// For how many more keys there is room before the table is slow.
  [[nodiscard]] static std::uint64_t room_in(std::uint64_t capacity, std::uint64_t entries) {
    const auto most = static_cast<std::uint64_t>(static_cast<double>(capacity) * fullest);
    return most < entries ? 0 : most - entries;
  }

  /// Lets the table grow until it has room for what a round brings at least. Collective.
  template <class Table>
  bool make_room(Table& table, std::uint64_t entries) const {
    const std::uint64_t wanted = std::min(speed_.least_room(), possible_keys_ - entries);
    std::uint64_t capacity = table.capacity();
    while (room_in(capacity, entries) < wanted) capacity *= 2;
    if (capacity == table.capacity()) return false;
    table.resize(capacity);
    return true;
  }

  /// @return the bytes of text that this rank has taken
  template <class Writer, class Take>
  std::uint64_t take_round(Writer& writer, Take& take) {
    std::uint64_t bytes = 0;
    // What finds no room waits in the writer until the table grows: that is no time for more.
    for (supplied_text text; writer.refused() == 0 && supply_.next(text);) {
      unsigned since_progress = 0;
      for_each_record(text, inputs_[text.origin.file].path, [&](const record& read) {
        contents_[text.origin.file].add(read, text.origin.carried);
        take(read, text.origin.carried);
        // Others may be waiting for a text from this rank.
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
