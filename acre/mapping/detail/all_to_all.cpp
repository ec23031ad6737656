// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/all_to_all.hpp>

#include <acre/base/specification.hpp>
#include <acre/mapping/detail/part_of_bytes.hpp>
#include <acre/mapping/detail/stencil.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace acre::mapping {
namespace {

/// Grid with each rank in its row and column; empty if over a quarter have no free cell.
std::optional<recognised_structure> as_rows(std::span<const rank_t> row,
                                            std::span<const rank_t> column, rank_t rows) {
  const auto ranks = static_cast<rank_t>(row.size());
  if (rows == 0 || ranks % rows != 0) return {};
  const rank_t columns = ranks / rows;
  std::vector<rank_t> seated(ranks, invalid_rank);
  std::vector<rank_t> standing;
  for (rank_t rank = 0; rank < ranks; ++rank) {
    const bool is_known = row[rank] < rows && column[rank] < columns;
    if (is_known && seated[row[rank] * columns + column[rank]] == invalid_rank) {
      seated[row[rank] * columns + column[rank]] = rank;
    } else {
      standing.push_back(rank);
    }
  }
  if (standing.size() > ranks / 4) return {};
  auto next = standing.begin();
  for (rank_t& each : seated) {
    if (each == invalid_rank) each = *next++;
  }
  recognised_structure found;
  found.extents = {rows, columns};
  found.ranks = std::move(seated);
  return found;
}

std::optional<recognised_structure> parted(const traffic& pairs,
                                           const neighbour_lists& neighbours) {
  const std::vector<rank_t> part = connected_parts(neighbours);
  const rank_t parts = 1 + *std::ranges::max_element(part);
  if (parts < 2 || parts > pairs.ranks() / 2) return {};
  std::vector<rank_t> members(parts, 0);
  std::vector<rank_t> place(part.size());
  for (rank_t rank = 0; rank < part.size(); ++rank) place[rank] = members[part[rank]]++;
  auto found = as_rows(part, place, parts);
  if (!found) return {};
  found->name = std::to_string(parts) + " parts with traffic within them";
  found->explained =
      part_of_bytes(pairs, [&](rank_t from, rank_t to) { return part[from] == part[to]; });
  return found;
}

/// The neighbours of one rank form its row and column, which locate all other ranks.
std::optional<recognised_structure> rows_and_columns(const traffic& pairs,
                                                     const neighbour_lists& neighbours) {
  const rank_t ranks = neighbours.ranks();
  for (rank_t first = 0; first < std::min<rank_t>(ranks, 16); ++first) {
    const auto around = neighbours.of(first);
    if (around.size() < 4) continue;
    std::vector<rank_t> in_row;
    std::vector<rank_t> in_column;
    for (const rank_t each : around) {
      const bool is_of_row = each == around[0] || neighbours.are_neighbours(each, around[0]);
      (is_of_row ? in_row : in_column).push_back(each);
    }
    const auto columns = static_cast<rank_t>(in_row.size() + 1);
    if (in_column.empty() || ranks % columns != 0 || ranks / columns != in_column.size() + 1) {
      continue;
    }
    std::vector<rank_t> row(ranks, invalid_rank);
    std::vector<rank_t> column(ranks, invalid_rank);
    row[first] = column[first] = 0;
    for (rank_t i = 0; i < in_row.size(); ++i) column[in_row[i]] = i + 1, row[in_row[i]] = 0;
    for (rank_t i = 0; i < in_column.size(); ++i)
      row[in_column[i]] = i + 1, column[in_column[i]] = 0;
    for (rank_t rank = 0; rank < ranks; ++rank) {
      if (row[rank] != invalid_rank) continue;
      for (const rank_t each : neighbours.of(rank)) {
        if (row[each] == 0 && column[each] != 0) column[rank] = column[each];
        if (column[each] == 0 && row[each] != 0) row[rank] = row[each];
      }
    }
    auto found = as_rows(row, column, ranks / columns);
    if (!found) continue;
    found->name = "rows and columns of " + join(found->extents);
    const auto cells = cells_of(found->ranks, ranks);
    found->explained = part_of_bytes(pairs, [&](rank_t from, rank_t to) {
      return cells[from] / columns == cells[to] / columns ||
             cells[from] % columns == cells[to] % columns;
    });
    return found;
  }
  return {};
}

}  // namespace

std::optional<recognised_structure> all_to_all_parts(const traffic& pairs,
                                                     neighbour_lists neighbours, deadline& end) {
  // A pair in all-to-all parts shares nearly all neighbours, in rows and columns half.
  neighbours.keep([&](rank_t one, rank_t other) {
    end.require();
    const std::size_t fewest = std::min(neighbours.of(one).size(), neighbours.of(other).size());
    return neighbours.in_common(one, other) * std::size_t{4} >= fewest && fewest > 1;
  });
  auto found = parted(pairs, neighbours);
  if (found && found->explained >= enough_explained) return found;
  auto both = rows_and_columns(pairs, neighbours);
  return both ? both : found;
}

}  // namespace acre::mapping
