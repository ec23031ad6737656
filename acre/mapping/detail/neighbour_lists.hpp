// SPDX-License-Identifier: BSD-3-Clause
// Ascending list of each rank's neighbours.
#pragma once

#include <acre/mapping/traffic.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace acre::mapping {

class neighbour_lists {
 public:
  /// @param pairs symmetric
  template <class Choice>
  neighbour_lists(const traffic& pairs, Choice&& is_kept) {
    first_.reserve(pairs.ranks() + std::size_t{1});
    first_.push_back(0);
    ends_.reserve(pairs.flows());
    for (rank_t rank = 0; rank < pairs.ranks(); ++rank) {
      for (const traffic::flow& each : pairs.from(rank)) {
        if (is_kept(rank, each)) ends_.push_back(each.to);
      }
      first_.push_back(ends_.size());
    }
  }

  [[nodiscard]] rank_t ranks() const noexcept { return static_cast<rank_t>(first_.size() - 1); }
  [[nodiscard]] std::size_t ends() const noexcept { return ends_.size(); }
  [[nodiscard]] std::span<const rank_t> of(rank_t rank) const noexcept {
    return std::span(ends_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }
  [[nodiscard]] bool are_neighbours(rank_t one, rank_t other) const noexcept {
    return std::ranges::binary_search(of(one), other);
  }

  [[nodiscard]] unsigned in_common(rank_t one, rank_t other) const noexcept {
    const auto a = of(one);
    const auto b = of(other);
    unsigned count = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      count += a[i] == b[j] ? 1 : 0;
      const bool next = a[i] <= b[j];
      j += b[j] <= a[i] ? 1 : 0;
      i += next ? 1 : 0;
    }
    return count;
  }

  /// Keeps pairs with `is_kept(one, other)`, one < other.
  template <class Choice>
  void keep(Choice&& is_kept);

 private:
  std::vector<std::size_t> first_;
  std::vector<rank_t> ends_;
};

template <class Choice>
void neighbour_lists::keep(Choice&& is_kept) {
  std::vector<bool> kept(ends_.size());
  // Ranks are visited in ascending order, so each list is ascending.
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (rank_t rank = 0; rank < ranks(); ++rank) {
    for (std::size_t i = first_[rank]; i < first_[rank + 1]; ++i) {
      const rank_t other = ends_[i];
      if (other > rank) kept[i] = kept[next[other]++] = is_kept(rank, other);
    }
  }
  std::size_t to = 0;
  std::size_t begin = 0;
  for (rank_t rank = 0; rank < ranks(); ++rank) {
    const std::size_t end = first_[rank + 1];
    for (std::size_t i = begin; i < end; ++i) {
      if (kept[i]) ends_[to++] = ends_[i];
    }
    begin = end;
    first_[rank + 1] = to;
  }
  ends_.resize(to);
}

[[nodiscard]] std::vector<rank_t> connected_parts(const neighbour_lists& neighbours);

}  // namespace acre::mapping
