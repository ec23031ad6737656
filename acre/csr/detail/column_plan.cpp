// SPDX-License-Identifier: BSD-3-Clause
#include <acre/csr/detail/column_plan.hpp>

#include <algorithm>

namespace acre::csr {

column_plan make_column_plan(std::span<const column_t> columns, const row_cut& cut) {
  column_plan plan;
  plan.cut = cut;
  plan.needed.assign(columns.begin(), columns.end());
  std::ranges::sort(plan.needed);
  const auto [first, last] = std::ranges::unique(plan.needed);
  plan.needed.erase(first, last);
  const auto place_of = [&](std::size_t column) {
    return static_cast<std::size_t>(std::ranges::lower_bound(plan.needed, column) -
                                    plan.needed.begin());
  };
  for (rank_t member = 0; member <= cut.members(); ++member) {
    plan.begins.push_back(place_of(cut.first_of(member)));
  }
  plan.places.reserve(columns.size());
  for (const column_t column : columns) {
    plan.places.push_back(static_cast<column_t>(place_of(column)));
  }
  return plan;
}

}  // namespace acre::csr
