// SPDX-License-Identifier: BSD-3-Clause
// Who sends how much to whom: a sparse matrix, row by row.
//
// Rows hold only the peers that a rank sends to, so memory is O(ranks + peers).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

/// A rank of the job that is to be mapped: 0 … ranks()-1.
using rank_t = std::uint32_t;
/// No rank.
inline constexpr rank_t nobody = ~rank_t{0};

class traffic {
 public:
  struct flow {
    rank_t to;
    double bytes;
    friend bool operator==(const flow&, const flow&) = default;
  };
  struct message {
    rank_t from;
    rank_t to;
    double bytes;
  };

  /// Sums up messages of the same ends; what a rank sends to itself is dropped.
  /// @throws acre::error when a rank is not below `ranks`, or bytes are negative, infinite or NaN
  traffic(rank_t ranks, std::span<const message> messages);

  [[nodiscard]] rank_t ranks() const noexcept { return static_cast<rank_t>(first_.size() - 1); }
  [[nodiscard]] std::size_t flows() const noexcept { return flows_.size(); }
  /// What a rank sends, by ascending target.
  [[nodiscard]] std::span<const flow> from(rank_t rank) const {
    return std::span(flows_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }
  /// In how many messages the bytes of a flow go, of one that from() has: in one, where nobody
  /// said.
  [[nodiscard]] double messages(const flow& of) const {
    return messages_.empty() ? 1 : messages_[static_cast<std::size_t>(&of - flows_.data())];
  }
  /// The same flows, in as many messages as `numbers` has in the place of bytes; in one where it
  /// has none.
  /// @throws acre::error when that has other ranks
  [[nodiscard]] traffic in_messages(const traffic& numbers) const;
  /// All bytes of all flows.
  [[nodiscard]] double total() const noexcept;

 private:
  std::vector<std::size_t> first_;
  std::vector<flow> flows_;
  std::vector<double> messages_;  ///< of each flow; none: one each
};

/// Each pair of ranks that talk, from both sides: what the two send to each other together.
[[nodiscard]] traffic both_ways(const traffic& flows);

/// What groups of ranks send to each other; what stays within a group is dropped.
/// @param group_of of each rank, below `groups`
[[nodiscard]] traffic between_groups(const traffic& flows, std::span<const std::uint32_t> group_of,
                                     rank_t groups);

}  // namespace acre::mapping
