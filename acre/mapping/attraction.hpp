// SPDX-License-Identifier: BSD-3-Clause
// Growing sets of ranks: which rank is attracted most by those already taken.
//
// A rank's attraction is what it exchanges with the taken ones. The queue keeps an
// entry for each time it grew; older entries are passed over when they come up.
#pragma once

#include <acre/mapping/traffic.hpp>

#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace acre::mapping {

class attraction_queue {
 public:
  /// @param pairs what ranks exchange, from both sides; must outlive this
  explicit attraction_queue(const traffic& pairs)
      : pairs_(pairs), attraction_(pairs.ranks(), 0), taken_(pairs.ranks(), false) {}

  [[nodiscard]] bool taken(rank_t rank) const { return taken_[rank]; }

  /// From now on the rank attracts others.
  void take(rank_t rank) {
    taken_[rank] = true;
    for (const auto& [to, bytes] : pairs_.from(rank)) {
      if (taken_[to]) continue;
      if (attraction_[to] == 0) attracted_.push_back(to);
      attraction_[to] += bytes;
      waiting_.push({attraction_[to], ~to});
    }
  }

  /// The rank that is attracted most, of equal ones the lowest; nothing when none is.
  std::optional<rank_t> most_attracted() {
    while (!waiting_.empty()) {
      const auto [bytes, unlike] = waiting_.top();
      waiting_.pop();
      if (!taken_[~unlike] && bytes == attraction_[~unlike]) return ~unlike;
    }
    return std::nullopt;
  }

  /// What is taken attracts no longer.
  void forget() {
    for (const rank_t rank : attracted_) attraction_[rank] = 0;
    attracted_.clear();
    waiting_ = {};
  }

 private:
  const traffic& pairs_;
  std::vector<double> attraction_;
  std::vector<bool> taken_;
  std::vector<rank_t> attracted_;  ///< those with an attraction, for forget()
  /// Attraction and the complement of the rank: the lowest first.
  std::priority_queue<std::pair<double, rank_t>> waiting_;
};

}  // namespace acre::mapping
