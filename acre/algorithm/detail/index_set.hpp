// SPDX-License-Identifier: BSD-3-Clause
// Some indices of one dimension, and the sets of them that a member's tiles are the product of.
#pragma once

#include <acre/layout/box.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <utility>
#include <vector>

namespace acre::algorithm {

/// Indices that follow each other.
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
/// @return what both have; an empty one where that is nothing
[[nodiscard]] inline interval common(const interval& a, const interval& b) noexcept {
  const std::size_t first = std::max(a.first, b.first);
  return {first, std::max(first, std::min(a.end, b.end))};
}

/// Indices in ascending order, each with its position among them: where it lies in an array that
/// has these alone.
class index_set {
 public:
  index_set() = default;
  /// @param intervals  without common indices, in any order; neighbours become one
  explicit index_set(std::vector<interval> intervals);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const std::vector<interval>& intervals() const noexcept { return intervals_; }
  /// Of an index that is in the set. Cost: a bisection.
  [[nodiscard]] std::size_t position_of(std::size_t index) const noexcept;
  /// Those at these positions.
  [[nodiscard]] index_set at(const interval& positions) const;
  /// The positions where one of the cuts lies between neighbours, in ascending order, with 0 and
  /// size().
  [[nodiscard]] std::vector<std::size_t> positions_of_cuts(std::vector<std::size_t> cuts) const;

  friend bool operator==(const index_set& a, const index_set& b) noexcept {
    return a.intervals_ == b.intervals_;
  }

 private:
  std::vector<interval> intervals_;
  std::vector<std::size_t> positions_;  ///< of the first of each
  std::size_t size_ = 0;
};

/// All indices of some rows in all of some columns.
struct set_product {
  index_set rows;
  index_set columns;
};

/// Boxes without common elements as few products: rows that have the same columns go together. The
/// boxes of a grid are one. Cost: sorting them.
[[nodiscard]] std::vector<set_product> products_of(const std::vector<layout::box<2>>& boxes);

}  // namespace acre::algorithm
