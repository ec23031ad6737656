#include <acre/mapping/recognition.hpp>

#include <acre/base/specification.hpp>
#include <acre/mapping/detail/grid_growth.hpp>
#include <acre/mapping/detail/grid_share.hpp>
#include <acre/mapping/detail/neighbour_lists.hpp>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace acre::mapping {
namespace {

using detail::are_beside;
using detail::cells_of;
using detail::explained_by_grid;
using detail::neighbour_lists;
using detail::part_of_bytes;

/// A structure that less is between the neighbours of is none.
constexpr double least_explained = 0.5;
/// No other is looked for when so much is.
constexpr double enough_explained = 0.9;

// --- grids in the order of their ranks ---------------------------------------------------

/// The differences of numbers that carry most bytes, ascending.
std::vector<rank_t> strides(const traffic& pairs) {
  constexpr std::size_t most = 8;
  constexpr double worth_it = 0.02;
  std::unordered_map<rank_t, double> by_difference;
  double all = 0;
  const rank_t step = std::max<rank_t>(1, pairs.ranks() / 4096);
  for (rank_t rank = 0; rank < pairs.ranks(); rank += step) {
    for (const auto& [to, bytes] : pairs.from(rank)) {
      by_difference[rank < to ? to - rank : rank - to] += bytes;
      all += bytes;
    }
  }
  std::vector<std::pair<double, rank_t>> heaviest;
  for (const auto& [difference, bytes] : by_difference) {
    if (bytes >= worth_it * all) heaviest.emplace_back(bytes, difference);
  }
  std::ranges::sort(heaviest, std::greater{});
  if (heaviest.size() > most) heaviest.resize(most);
  std::vector<rank_t> found;
  for (const auto& [bytes, difference] : heaviest) found.push_back(difference);
  std::ranges::sort(found);
  return found;
}

/// The grid whose dimensions have these strides; nothing where there is none.
std::vector<std::uint32_t> extents_of(std::span<const rank_t> strides, rank_t ranks) {
  std::vector<std::uint32_t> extents;
  rank_t above = ranks;
  for (std::size_t i = strides.size(); i-- > 0;) {
    if (strides[i] >= above || above % strides[i] != 0) return {};
    extents.push_back(above / strides[i]);
    above = strides[i];
  }
  if (above != 1) extents.push_back(above);
  return extents;
}

std::optional<recognised_structure> as_numbered(const traffic& pairs) {
  const std::vector<rank_t> some = strides(pairs);
  std::optional<recognised_structure> best;
  const rank_t step = std::max<rank_t>(1, pairs.ranks() / 1024);
  for (unsigned chosen = 1; chosen < 1U << some.size(); ++chosen) {
    std::vector<rank_t> these;
    for (std::size_t i = 0; i < some.size(); ++i) {
      if ((chosen >> i & 1U) != 0) these.push_back(some[i]);
    }
    const auto extents = extents_of(these, pairs.ranks());
    if (extents.size() < 2) continue;
    const double part = part_of_bytes(
        pairs, [&](rank_t from, rank_t to) { return are_beside(extents, from, to); }, step);
    constexpr double better = 0.01;  // that an additional dimension must be worth
    if (!best || part > best->explained + better ||
        (part > best->explained - better && extents.size() < best->extents.size())) {
      best = recognised_structure{
          .name = "a grid of " + join(extents), .extents = extents, .ranks = {}, .explained = part};
    }
  }
  if (!best) return {};
  best->ranks.resize(pairs.ranks());
  std::iota(best->ranks.begin(), best->ranks.end(), rank_t{0});
  return best;
}

// --- grids in any order --------------------------------------------------------------------

/// Whether there is a way of three steps that closes a square with this pair.
bool is_in_square(const neighbour_lists& neighbours, rank_t one, rank_t other) {
  for (const rank_t a : neighbours.of(one)) {
    if (a == other) continue;
    for (const rank_t b : neighbours.of(other)) {
      if (b != one && b != a && neighbours.are_neighbours(a, b)) return true;
    }
  }
  return false;
}

/// Nearly all that is between neighbours of a grid lies in squares; hardly anything else does.
std::optional<recognised_structure> in_any_order(const traffic& pairs, neighbour_lists neighbours) {
  neighbours.keep([&](rank_t one, rank_t other) { return is_in_square(neighbours, one, other); });
  auto grown = detail::grow_grid(neighbours);
  if (!grown) return {};
  recognised_structure found{.name = "a grid of " + join(grown->extents),
                             .extents = std::move(grown->extents),
                             .ranks = std::move(grown->ranks),
                             .explained = 0};
  found.explained = explained_by_grid(pairs, found.extents, found.ranks);
  return found;
}

// --- all to all ----------------------------------------------------------------------------

/// The number of the connected part that each rank is in.
std::vector<rank_t> connected_parts(const neighbour_lists& neighbours) {
  std::vector<rank_t> part(neighbours.ranks(), nobody);
  std::vector<rank_t> walk;
  rank_t parts = 0;
  for (rank_t first = 0; first < neighbours.ranks(); ++first) {
    if (part[first] != nobody) continue;
    part[first] = parts;
    walk.assign(1, first);
    while (!walk.empty()) {
      const rank_t rank = walk.back();
      walk.pop_back();
      for (const rank_t each : neighbours.of(rank)) {
        if (part[each] != nobody) continue;
        part[each] = parts;
        walk.push_back(each);
      }
    }
    ++parts;
  }
  return part;
}

/// Ranks by two numbers that each has, as cells of a grid; nothing where they do not fill it.
std::optional<recognised_structure> as_rows(std::span<const rank_t> row,
                                            std::span<const rank_t> column, rank_t rows) {
  const auto ranks = static_cast<rank_t>(row.size());
  if (rows == 0 || ranks % rows != 0) return {};
  const rank_t columns = ranks / rows;
  std::vector<rank_t> seated(ranks, nobody);
  std::vector<rank_t> standing;
  for (rank_t rank = 0; rank < ranks; ++rank) {
    const bool is_known = row[rank] < rows && column[rank] < columns;
    if (is_known && seated[row[rank] * columns + column[rank]] == nobody) {
      seated[row[rank] * columns + column[rank]] = rank;
    } else {
      standing.push_back(rank);
    }
  }
  if (standing.size() > ranks / 4) return {};
  auto next = standing.begin();
  for (rank_t& each : seated) {
    if (each == nobody) each = *next++;
  }
  recognised_structure found;
  found.extents = {rows, columns};
  found.ranks = std::move(seated);
  return found;
}

/// Parts of equal size that talk within them only.
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
  found->name = std::to_string(parts) + " parts that talk within them";
  found->explained =
      part_of_bytes(pairs, [&](rank_t from, rank_t to) { return part[from] == part[to]; });
  return found;
}

/// Rows and columns, all of which talk all to all: the neighbours of a rank fall into two parts.
/// From those of one rank all others have their places by the neighbours that they share.
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
    std::vector<rank_t> row(ranks, nobody);
    std::vector<rank_t> column(ranks, nobody);
    row[first] = column[first] = 0;
    for (rank_t i = 0; i < in_row.size(); ++i) column[in_row[i]] = i + 1, row[in_row[i]] = 0;
    for (rank_t i = 0; i < in_column.size(); ++i)
      row[in_column[i]] = i + 1, column[in_column[i]] = 0;
    for (rank_t rank = 0; rank < ranks; ++rank) {
      if (row[rank] != nobody) continue;
      for (const rank_t each : neighbours.of(rank)) {
        if (row[each] == 0 && column[each] != 0) column[rank] = column[each];
        if (column[each] == 0 && row[each] != 0) row[rank] = row[each];
      }
    }
    auto found = as_rows(row, column, ranks / columns);
    if (!found) continue;
    found->name = "rows and columns of " + join(found->extents);
    const auto cells = cells_of(found->ranks);
    found->explained = part_of_bytes(pairs, [&](rank_t from, rank_t to) {
      return cells[from] / columns == cells[to] / columns ||
             cells[from] % columns == cells[to] % columns;
    });
    return found;
  }
  return {};
}

std::optional<recognised_structure> all_to_all_parts(const traffic& pairs,
                                                     neighbour_lists neighbours) {
  // Of all to all a pair has nearly all of its neighbours in common, or of two such parts half.
  neighbours.keep([&](rank_t one, rank_t other) {
    const std::size_t fewest = std::min(neighbours.of(one).size(), neighbours.of(other).size());
    return neighbours.in_common(one, other) * std::size_t{4} >= fewest && fewest > 1;
  });
  auto found = parted(pairs, neighbours);
  if (found && found->explained > enough_explained) return found;
  auto both = rows_and_columns(pairs, neighbours);
  return both ? both : found;
}

// --- trees, paths, rings -------------------------------------------------------------------

/// As a walk visits them that takes the end of a path, or a leaf, first.
std::optional<recognised_structure> along_walk(const traffic& pairs,
                                               const neighbour_lists& neighbours) {
  const rank_t ranks = neighbours.ranks();
  if (neighbours.ends() > 2 * std::size_t{ranks} || neighbours.ends() + ranks / 2 < ranks) {
    return {};
  }
  std::vector<rank_t> visited;
  std::vector<bool> is_seen(ranks, false);
  std::vector<rank_t> walk;
  const auto visit_from = [&](rank_t first) {
    if (is_seen[first]) return;
    walk.assign(1, first);
    while (!walk.empty()) {
      const rank_t rank = walk.back();
      walk.pop_back();
      if (is_seen[rank]) continue;
      is_seen[rank] = true;
      visited.push_back(rank);
      for (const rank_t each : neighbours.of(rank)) {
        if (!is_seen[each]) walk.push_back(each);
      }
    }
  };
  for (rank_t rank = 0; rank < ranks; ++rank) {
    if (neighbours.of(rank).size() == 1) visit_from(rank);
  }
  for (rank_t rank = 0; rank < ranks; ++rank) visit_from(rank);
  const double explained = part_of_bytes(
      pairs, [&](rank_t from, rank_t to) { return neighbours.are_neighbours(from, to); });
  return recognised_structure{.name = "a tree or a ring",
                              .extents = {ranks},
                              .ranks = std::move(visited),
                              .explained = explained};
}

// --- any of them -----------------------------------------------------------------------------

/// Bytes that so large a part of all pairs has less than.
double bytes_at(const traffic& pairs, double part) {
  std::vector<double> all;
  const std::size_t step = std::max<std::size_t>(1, pairs.flows() / 100'000);
  std::size_t i = 0;
  for (rank_t rank = 0; rank < pairs.ranks(); ++rank) {
    for (const auto& each : pairs.from(rank)) {
      if (i++ % step == 0) all.push_back(each.bytes);
    }
  }
  const auto at =
      all.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(all.size() - 1));
  std::ranges::nth_element(all, at);
  return *at;
}

/// Who talks to very many, as one that gathers from all does, has a place in no grid by that.
void drop_hubs(neighbour_lists& neighbours) {
  std::vector<std::size_t> degrees;
  for (rank_t rank = 0; rank < neighbours.ranks(); ++rank) {
    degrees.push_back(neighbours.of(rank).size());
  }
  std::vector<std::size_t> some = degrees;
  const auto middle = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
  std::ranges::nth_element(some, middle);
  const std::size_t most = 8 * (*middle + 2);
  neighbours.keep(
      [&](rank_t one, rank_t other) { return degrees[one] <= most && degrees[other] <= most; });
}

/// About as many steps are made to look for squares.
double work_of(const neighbour_lists& neighbours) {
  double steps = 0;
  for (rank_t rank = 0; rank < neighbours.ranks(); ++rank) {
    const auto around = neighbours.of(rank);
    for (const rank_t each : around) {
      steps += static_cast<double>(around.size()) * static_cast<double>(neighbours.of(each).size());
    }
  }
  return steps;
}

std::string percents(double part) { return std::to_string(static_cast<int>(part * 100)) + " %"; }

// --- grids that the program has made -----------------------------------------------------------

/// The one that most bytes keep to, of those of all ranks.
std::optional<recognised_structure> best_known(const communication& what) {
  if (what.known_grids.empty()) return {};
  const traffic pairs = both_ways(what.traffic);
  std::optional<recognised_structure> best;
  for (const known_grid& each : what.known_grids) {
    std::vector<rank_t> ranks = ranks_in_cells(each, pairs.ranks());
    if (ranks.empty()) continue;
    const double part = explained_by_grid(pairs, each.extents, ranks);
    if (best && best->explained >= part) continue;
    best = recognised_structure{.name = "a grid of " + join(each.extents),
                                .extents = each.extents,
                                .ranks = std::move(ranks),
                                .explained = part};
  }
  return best;
}

std::string why_not_known(const communication& what,
                          const std::optional<recognised_structure>& best) {
  if (!best) {
    return "none of the Cartesian communicators of the program has all " +
           std::to_string(what.traffic.ranks()) + " ranks: they are passed over";
  }
  return best->name + ", a Cartesian communicator of the program, has " +
         percents(best->explained) + " of the bytes in it: it is passed over";
}

void take_structure(communication& what, recognised_structure found, const char* from) {
  what.extents = std::move(found.extents);
  what.ranks_of_cells = std::move(found.ranks);
  what.structure =
      found.name + from + ", with " + percents(found.explained) + " of the bytes in it";
}

}  // namespace

std::optional<recognised_structure> recognise(const traffic& flows) {
  constexpr rank_t fewest = 8;
  constexpr std::size_t most_peers = 64;
  constexpr double most_work = 1e9;
  if (flows.ranks() < fewest || flows.flows() == 0) return {};
  const traffic pairs = both_ways(flows);
  recognised_structure best;
  const auto is_enough = [&] { return best.explained >= enough_explained; };
  const auto take = [&](std::optional<recognised_structure> other) {
    if (other && other->explained > best.explained) best = std::move(*other);
  };
  take(as_numbered(pairs));
  const double usual = bytes_at(pairs, 0.95);
  for (const double part : {0.0, 0.01, 0.1, 0.5}) {
    if (is_enough()) break;
    neighbour_lists neighbours(
        pairs, [&](rank_t, const traffic::flow& each) { return each.bytes >= part * usual; });
    if (neighbours.ends() > most_peers * pairs.ranks()) continue;
    take(along_walk(pairs, neighbours));
    drop_hubs(neighbours);
    if (work_of(neighbours) > most_work) continue;
    if (!is_enough()) take(in_any_order(pairs, neighbours));
    if (!is_enough()) take(all_to_all_parts(pairs, neighbours));
  }
  if (best.explained < least_explained) return {};
  return best;
}

communication with_structure(communication what) {
  if (what.extents.size() > 1) return what;
  auto known = best_known(what);
  std::optional<recognised_structure> found;
  if (!known || known->explained < enough_explained) found = recognise(what.traffic);
  const bool is_known_better =
      known && known->explained >= std::max(least_explained, found ? found->explained : 0);
  if (!what.known_grids.empty() && !is_known_better) {
    what.remarks.push_back(why_not_known(what, known));
  }
  if (is_known_better) {
    take_structure(what, std::move(*known), ", a Cartesian communicator of the program");
  } else if (found) {
    take_structure(what, std::move(*found), "");
  }
  return what;
}

}  // namespace acre::mapping
