// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/detail/index_set.hpp>

#include <map>

namespace acre::algorithm {

index_set::index_set(std::vector<interval> intervals) {
  std::ranges::sort(intervals);
  for (const interval& each : intervals) {
    if (each.size() == 0) continue;
    if (!intervals_.empty() && intervals_.back().end == each.first) {
      intervals_.back().end = each.end;
    } else {
      intervals_.push_back(each);
      positions_.push_back(size_);
    }
    size_ += each.size();
  }
}

std::size_t index_set::position_of(std::size_t index) const noexcept {
  const auto behind = std::ranges::upper_bound(intervals_, index, {}, &interval::first);
  const auto number = static_cast<std::size_t>(behind - intervals_.begin()) - 1;
  return positions_[number] + (index - intervals_[number].first);
}

index_set index_set::at(const interval& positions) const {
  std::vector<interval> found;
  const auto behind = std::ranges::upper_bound(positions_, positions.first);
  for (auto i = static_cast<std::size_t>(behind - positions_.begin()); i > 0; ++i) {
    if (i > intervals_.size() || positions_[i - 1] >= positions.end) break;
    const interval& all = intervals_[i - 1];
    const interval part = common({positions_[i - 1], positions_[i - 1] + all.size()}, positions);
    found.push_back(
        {all.first + (part.first - positions_[i - 1]), all.first + (part.end - positions_[i - 1])});
  }
  return index_set(std::move(found));
}

std::vector<std::size_t> index_set::positions_of_cuts(std::vector<std::size_t> cuts) const {
  std::vector<std::size_t> result{0, size_};
  result.insert(result.end(), positions_.begin(), positions_.end());
  std::ranges::sort(cuts);
  auto cut = cuts.begin();
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    while (cut != cuts.end() && *cut < intervals_[i].first) ++cut;
    for (; cut != cuts.end() && *cut < intervals_[i].end; ++cut) {
      result.push_back(positions_[i] + (*cut - intervals_[i].first));
    }
  }
  std::ranges::sort(result);
  const auto [first, last] = std::ranges::unique(result);
  result.erase(first, last);
  return result;
}

std::vector<set_product> products_of(const std::vector<layout::box<2>>& boxes) {
  std::map<interval, std::vector<interval>> columns_of;
  for (const layout::box<2>& each : boxes) columns_of[along(each, 0)].push_back(along(each, 1));
  std::map<std::vector<interval>, std::vector<interval>> rows_of;
  for (auto& [rows, columns] : columns_of) {
    std::ranges::sort(columns);
    rows_of[std::move(columns)].push_back(rows);
  }
  std::vector<set_product> result;
  result.reserve(rows_of.size());
  for (auto& [columns, rows] : rows_of) {
    result.push_back({index_set(std::move(rows)), index_set(columns)});
  }
  return result;
}

}  // namespace acre::algorithm
