// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/row_cut.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/cut.hpp>

#include <algorithm>
#include <utility>

namespace acre {

row_cut::row_cut(std::vector<std::size_t> firsts, const site& where) {
  if (firsts.empty() || firsts.front() != 0 || !std::ranges::is_sorted(firsts)) {
    throw error("row_cut",
                "the first rows of the members do not ascend from 0" + describe_place(where),
                "member m holds the rows firsts[m] to firsts[m + 1] - 1");
  }
  cut_ = layout::cut_at(std::move(firsts));
}

row_cut row_cut::equal(std::size_t rows, layout::member_t members) {
  if (members == 0) {
    throw error("row_cut::equal", "the number of members is 0, or the grid has no rows or columns",
                "a team and a member_grid{rows, columns} must have at least 1 member");
  }
  return row_cut(layout::places_of(layout::blocked_cut(rows, members), members));
}

}  // namespace acre
