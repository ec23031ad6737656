// SPDX-License-Identifier: BSD-3-Clause
// Flows of each rank in both directions.
#pragma once

#include <acre/mapping/traffic.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace acre::mapping {

class exchanges {
 public:
  struct flow {
    rank_t to;  ///< or from, for received bytes
    double bytes;
    bool out;
  };

  explicit exchanges(const traffic& flows) : first_(std::size_t{flows.ranks()} + 1) {
    for (rank_t rank = 0; rank < flows.ranks(); ++rank) {
      first_[rank + 1] += flows.from(rank).size();
      for (const traffic::flow& each : flows.from(rank)) ++first_[each.to + 1];
    }
    for (std::size_t r = 0; r < flows.ranks(); ++r) first_[r + 1] += first_[r];
    flows_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (rank_t rank = 0; rank < flows.ranks(); ++rank) {
      for (const traffic::flow& each : flows.from(rank)) {
        flows_[next[rank]++] = {.to = each.to, .bytes = each.bytes, .out = true};
        flows_[next[each.to]++] = {.to = rank, .bytes = each.bytes, .out = false};
      }
    }
  }
  [[nodiscard]] std::span<const flow> of(rank_t rank) const {
    return std::span(flows_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<flow> flows_;
};

}  // namespace acre::mapping
