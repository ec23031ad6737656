// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/tree_depths.hpp>

#include <acre/global/team/team.hpp>

#include <span>
#include <vector>

namespace acre::graph {
namespace {

struct ancestor {
  column_t vertex;
  std::uint32_t above;
};

}  // namespace

dense_vector<std::uint32_t> depths_of(const dense_vector<column_t>& parents) {
  constexpr auto none = std::numeric_limits<column_t>::max();
  const team& members = parents.members();
  const std::size_t first = parents.local_offset();
  dense_vector<ancestor> ancestors(members, parents.cut(), {none, 0});
  const auto mine = ancestors.local();
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < mine.size(); ++row) {
    const column_t parent = parents.local()[row];
    mine[row] = {parent, parent == none || parent == first + row ? 0U : 1U};
    if (parent != none) rows.push_back(row);
  }
  // Doubles the distance to each ancestor, until it is the root.
  for (bool has_changed = true; has_changed;) {
    std::vector<column_t> wanted;
    wanted.reserve(rows.size());
    for (const std::size_t row : rows) wanted.push_back(mine[row].vertex);
    members.barrier();
    const std::vector<ancestor> further = ancestors.gather(std::span<const column_t>(wanted));
    members.barrier();
    has_changed = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ancestor& each = mine[rows[i]];
      has_changed = has_changed || further[i].above != 0;
      each = {further[i].vertex, each.above + further[i].above};
    }
    has_changed = members.allreduce(has_changed, op::logical_or);
  }
  dense_vector<std::uint32_t> depths(members, parents.cut(), none);
  for (const std::size_t row : rows) depths.local()[row] = mine[row].above;
  return depths;
}

}  // namespace acre::graph
