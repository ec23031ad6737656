// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/row_cut.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/cut.hpp>

#include <algorithm>
#include <utility>

namespace acre {

row_cut::row_cut(std::vector<std::size_t> firsts, const site& where) {
  if (firsts.empty() || firsts.front() != 0 || !std::ranges::is_sorted(firsts)) {
    throw error("row_cut", "the first rows of members do not ascend from 0" + describe_place(where),
                "member m has the rows firsts[m] to firsts[m + 1] - 1");
  }
  cut_ = layout::cut_at(std::move(firsts));
}

row_cut row_cut::equal(std::size_t rows, layout::member_t members) {
  if (members == 0) {
    throw error("row_cut::equal", "there are no members, or a grid has no rows or no columns",
                "member_grid{rows, columns} has one member at least");
  }
  return row_cut(layout::places_of(layout::blocked_cut(rows, members), members));
}

}  // namespace acre
