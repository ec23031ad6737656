// SPDX-License-Identifier: BSD-3-Clause
// Sets of indices, as disjoint intervals, and their products (boxes).
#pragma once

#include <acre/layout/box.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <utility>
#include <vector>

namespace acre::algorithm {

struct interval {
  std::size_t first;
  std::size_t end;

  [[nodiscard]] std::size_t size() const noexcept { return end - first; }
  friend auto operator<=>(const interval&, const interval&) = default;
};

[[nodiscard]] inline interval along(const layout::box<2>& box, std::size_t d) noexcept {
  return {box.first[d], box.first[d] + box.extents[d]};
}
[[nodiscard]] inline layout::box<2> box_of(const interval& rows, const interval& columns) noexcept {
  return {.first = {rows.first, columns.first}, .extents = {rows.size(), columns.size()}};
}
[[nodiscard]] inline interval common(const interval& a, const interval& b) noexcept {
  const std::size_t first = std::max(a.first, b.first);
  return {first, std::max(first, std::min(a.end, b.end))};
}

class index_set {
 public:
  index_set() = default;
  /// @param intervals  disjoint, in any order; adjacent ones are merged
  explicit index_set(std::vector<interval> intervals);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const std::vector<interval>& intervals() const noexcept { return intervals_; }
  /// Requires an index of the set. Cost: binary search.
  [[nodiscard]] std::size_t position_of(std::size_t index) const noexcept;
  [[nodiscard]] index_set at(const interval& positions) const;
  /// Ascending positions of the intervals' beginnings and of `cuts` in the set, with 0 and size().
  [[nodiscard]] std::vector<std::size_t> positions_of_cuts(std::vector<std::size_t> cuts) const;

  friend bool operator==(const index_set& a, const index_set& b) noexcept {
    return a.intervals_ == b.intervals_;
  }

 private:
  std::vector<interval> intervals_;
  std::vector<std::size_t> positions_;
  std::size_t size_ = 0;
};

struct set_product {
  index_set rows;
  index_set columns;
};

/// Covers `boxes` by few products: rows with equal columns are merged, so a grid is one.
[[nodiscard]] std::vector<set_product> products_of(const std::vector<layout::box<2>>& boxes);

}  // namespace acre::algorithm
