// SPDX-License-Identifier: BSD-3-Clause
// Bytes sent between ranks as a sparse matrix, in O(ranks + flows) memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::mapping {

/// 0 … ranks()-1
using rank_t = std::uint32_t;
inline constexpr rank_t invalid_rank = ~rank_t{0};
/// Old name, until 0.2.
[[deprecated("use invalid_rank")]] inline constexpr rank_t nobody = invalid_rank;

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

  /// Sums messages of equal ends; drops empty ones and those of a rank to itself.
  ///
  /// @throws acre::error if a rank is out of range, bytes are negative, infinite or NaN, or exceed
  /// 1e100 in total
  traffic(rank_t ranks, std::span<const message> messages);

  [[nodiscard]] rank_t ranks() const noexcept { return static_cast<rank_t>(first_.size() - 1); }
  [[nodiscard]] std::size_t flows() const noexcept { return flows_.size(); }
  /// Flows from `rank`, by ascending target.
  [[nodiscard]] std::span<const flow> from(rank_t rank) const {
    return std::span(flows_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }
  /// Number of messages of a flow, which must be an element of from(); 1 if unknown.
  [[nodiscard]] double messages(const flow& of) const {
    return messages_.empty() ? 1 : messages_[static_cast<std::size_t>(&of - flows_.data())];
  }
  /// Copy with messages per flow: the flow's "bytes" in `numbers`; 1 if missing.
  ///
  /// @throws acre::error if the numbers of ranks differ
  [[nodiscard]] traffic in_messages(const traffic& numbers) const;
  [[nodiscard]] double total() const noexcept;

 private:
  std::vector<std::size_t> first_;
  std::vector<flow> flows_;
  std::vector<double> messages_;
};

/// Symmetric traffic: each direction of a pair has the sum of both.
[[nodiscard]] traffic both_ways(const traffic& flows);

/// Traffic between groups; that within a group is dropped.
///
/// @param group_of group of each rank, below `groups`
[[nodiscard]] traffic between_groups(const traffic& flows, std::span<const std::uint32_t> group_of,
                                     rank_t groups);

}  // namespace acre::mapping
