// SPDX-License-Identifier: BSD-3-Clause
// Grows sets of ranks: the next rank exchanges most with those already in the set. Outdated queue
// entries are skipped.
#pragma once

#include <acre/mapping/traffic.hpp>

#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace acre::mapping {

class attraction_queue {
 public:
  /// @param pairs symmetric traffic from both_ways(); must outlive this
  explicit attraction_queue(const traffic& pairs)
      : pairs_(pairs), attraction_(pairs.ranks(), 0), taken_(pairs.ranks(), false) {}

  [[nodiscard]] bool taken(rank_t rank) const { return taken_[rank]; }

  void take(rank_t rank) {
    taken_[rank] = true;
    for (const auto& [to, bytes] : pairs_.from(rank)) {
      if (taken_[to]) continue;
      if (attraction_[to] == 0) attracted_.push_back(to);
      attraction_[to] += bytes;
      waiting_.push({attraction_[to], ~to});
    }
  }

  /// Rank outside the set that exchanges most with it, ties by lowest rank; or null.
  std::optional<rank_t> most_attracted() {
    while (!waiting_.empty()) {
      const auto [bytes, unlike] = waiting_.top();
      waiting_.pop();
      if (!taken_[~unlike] && bytes == attraction_[~unlike]) return ~unlike;
    }
    return std::nullopt;
  }

  /// Starts a new set: taken ranks stay taken, but no longer attract others.
  void forget() {
    for (const rank_t rank : attracted_) attraction_[rank] = 0;
    attracted_.clear();
    waiting_ = {};
  }

 private:
  const traffic& pairs_;
  std::vector<double> attraction_;
  std::vector<bool> taken_;
  std::vector<rank_t> attracted_;
  std::priority_queue<std::pair<double, rank_t>> waiting_;
};

}  // namespace acre::mapping
