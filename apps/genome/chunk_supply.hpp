// SPDX-License-Identifier: BSD-3-Clause
// Supplies ranks with text.
//
// Plain files: each rank reads its range. A gzip file is inflated by one rank into chunks of its
// segment, which others request by RPC, two in advance. Rounds with a text budget per source permit
// collective work in between, as growing a table.
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

/// A text, valid until the supply's next call.
struct supplied_text {
  std::string_view text;
  chunk_origin origin;
};

/// One per process; collective construction, use and destruction.
class chunk_supply {
 public:
  chunk_supply(std::span<const input> inputs, unsigned k);
  ~chunk_supply();
  chunk_supply(const chunk_supply&) = delete;
  chunk_supply& operator=(const chunk_supply&) = delete;

  /// Minimum text of a round: a chunk per source.
  [[nodiscard]] std::uint64_t least_round() const noexcept { return least_round_; }

  /// Collective. @param bytes  budget of all ranks, approximate, at least least_round()
  void begin_round(std::uint64_t bytes);

  /// Next text; false if the round has no more.
  /// @throws acre::error with file and line for a damaged file
  [[nodiscard]] bool next(supplied_text& out);

  void end_round();

  /// True if text remains for another round. Collective, after a round.
  [[nodiscard]] bool more() const;

 private:
  struct source;
  struct delivery {
    global_ptr<char> text;
    std::uint64_t bytes = 0;
    chunk_origin origin;
  };
  struct order {
    rank_t reader;
    unsigned round;
    future<delivery> coming;
  };

  static delivery pop_from_shelf();
  static future<delivery> serve();
  [[nodiscard]] bool sold_out() const;

  [[nodiscard]] bool next_of_mine(supplied_text& out);
  [[nodiscard]] bool next_of_others(supplied_text& out);
  void restock(std::size_t ready);
  void answer_customers();
  void order_ahead();
  void give_back();

  std::vector<source> ranges_;
  std::vector<source> streams_;
  std::vector<rank_t> readers_;
  std::vector<rank_t> open_readers_;
  std::deque<delivery> shelf_;
  std::deque<promise<delivery>> customers_;
  std::deque<order> orders_;
  std::optional<global_ptr<char>> borrowed_;
  chunk own_;
  std::string copied_;
  rank_t turn_ = 0;
  unsigned round_ = 0;
  unsigned source_count_ = 0;
  std::uint64_t least_round_ = 0;
};

}  // namespace acre::genome
