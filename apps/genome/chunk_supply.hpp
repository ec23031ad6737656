// SPDX-License-Identifier: BSD-3-Clause
// Where a rank gets its next piece of text from.
//
// Of a plain file every rank reads its own range. A gzip file is inflated by
// one rank, which keeps a few chunks ready on a shelf in its segment and takes
// only what is left for itself; the others ask for chunks by RPC, two ahead of
// their work, and read them where they lie (or get them over the network).
//
// Work goes in rounds, so that the job can do things together in between (let
// a table grow): each source has a budget of text for the round. A rank may end
// its own part of a round early; the texts left over come in the next one.
#pragma once

#include <acre/acre.hpp>

#include <apps/genome/share.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acre::genome {

/// A text to work on; valid until the next call of the supply that gave it.
struct supplied_text {
  std::string_view text;
  chunk_origin origin;
};

/// One at a time in a process; made, used and destroyed by all ranks.
class chunk_supply {
 public:
  chunk_supply(std::span<const input> inputs, unsigned k);
  ~chunk_supply();
  chunk_supply(const chunk_supply&) = delete;
  chunk_supply& operator=(const chunk_supply&) = delete;

  /// Bytes of text that a round brings, however few it is begun with: a chunk of each source.
  [[nodiscard]] std::uint64_t least_round() const noexcept { return least_round_; }

  /// Collective. @param bytes of text that all ranks together may take in this round, if these
  ///                     are not fewer than the least; chunks are a little larger or smaller
  void begin_round(std::uint64_t bytes);

  /// The next text; false when there is none left in this round.
  /// @throws acre::error with file and line for a damaged file
  [[nodiscard]] bool next(supplied_text& out);

  /// This rank takes no more texts in this round, nor reads any.
  void end_round();

  /// Collective, after a round. Whether there is text for another one.
  [[nodiscard]] bool more() const;

 private:
  struct source;
  struct delivery;
  struct order;

  static delivery take_from_shelf();
  static future<delivery> serve();
  [[nodiscard]] bool sold_out() const;

  [[nodiscard]] bool next_of_mine(supplied_text& out);
  [[nodiscard]] bool next_of_others(supplied_text& out);
  void restock(std::size_t ready);
  void answer_customers();
  void order_ahead();
  void give_back();

  std::vector<source> ranges_;        ///< of plain files, for this rank alone
  std::vector<source> streams_;       ///< that this rank inflates for all
  std::vector<rank_t> readers_;       ///< ranks with streams, except this one
  std::vector<rank_t> open_readers_;  ///< of these, the ones with text left in the round
  std::deque<delivery> shelf_;
  std::deque<promise<delivery>> customers_;  ///< who came to an empty shelf
  std::deque<order> orders_;                 ///< of this rank, under way
  std::optional<global_ptr<char>> borrowed_;
  chunk own_;           ///< the text handed out last, if it was read here
  std::string copied_;  ///< the text handed out last, if it came from far
  rank_t turn_ = 0;
  unsigned round_ = 0;
  unsigned source_count_ = 0;  ///< of all ranks
  std::uint64_t least_round_ = 0;
};

}  // namespace acre::genome
