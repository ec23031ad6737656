// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/structure.hpp>

#include <acre/mapping/detail/part_of_bytes.hpp>
#include <acre/mapping/recognition.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace acre::mapping {
namespace {

std::string percents(double part) { return std::to_string(static_cast<int>(part * 100)) + " %"; }

std::optional<recognised_structure> best_known(const communication& what,
                                               std::chrono::steady_clock::time_point until) {
  if (what.known_grids.empty()) return {};
  const traffic pairs = both_ways(what.traffic);
  std::optional<recognised_structure> best;
  for (const known_grid& each : what.known_grids) {
    if (best && std::chrono::steady_clock::now() > until) break;
    std::vector<rank_t> ranks = ranks_in_cells(each, pairs.ranks());
    if (ranks.empty()) continue;
    recognised_structure grid = described_grid(pairs, each.extents, std::move(ranks));
    if (!best || grid.explained > best->explained) best = std::move(grid);
  }
  return best;
}

std::string why_not_known(const communication& what,
                          const std::optional<recognised_structure>& best) {
  if (!best) {
    return "the Cartesian communicators of the program do not contain all " +
           std::to_string(what.traffic.ranks()) + " ranks: they are ignored";
  }
  return best->name + ", a Cartesian communicator of the program, has " +
         percents(best->explained) + " of the bytes in it: it is ignored";
}

void adopt_structure(communication& what, recognised_structure found, const char* from) {
  what.extents = std::move(found.extents);
  what.ranks_of_cells = std::move(found.ranks);
  what.structure = found.name + found.remark + from + ", with " + percents(found.explained) +
                   " of the bytes in it";
}

}  // namespace

communication with_structure(communication what, std::chrono::steady_clock::time_point until) {
  if (what.extents.size() > 1) return what;
  auto known = best_known(what, until);
  std::optional<recognised_structure> found;
  if (!known || known->explained < enough_explained) found = recognise(what.traffic, until);
  const bool is_known_better =
      known && known->explained >= std::max(least_explained, found ? found->explained : 0);
  if (!what.known_grids.empty() && !is_known_better) {
    what.remarks.push_back(why_not_known(what, known));
  }
  if (is_known_better) {
    adopt_structure(what, std::move(*known), ", a Cartesian communicator of the program");
  } else if (found) {
    adopt_structure(what, std::move(*found), "");
  }
  return what;
}

}  // namespace acre::mapping
