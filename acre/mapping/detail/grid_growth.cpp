// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/grid_growth.hpp>

#include <acre/mapping/detail/cell_space.hpp>
#include <acre/mapping/detail/grid_seeds.hpp>

#include <algorithm>
#include <deque>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace acre::mapping {
namespace {

class growth {
 public:
  growth(const neighbour_lists& faces, const seed& from, deadline& end)
      : neighbours_(&faces),
        end_(end),
        space_(static_cast<unsigned>(from.lines.size())),
        cells_(faces.ranks(), unplaced),
        occupants_(faces.ranks()),
        is_waiting_(faces.ranks(), false) {
    for (const auto& line : from.lines) is_short_.push_back(line[1] == invalid_rank);
    place(from.rank, space_.origin());
    for (unsigned d = 0; d < space_.dimensions(); ++d) {
      place(from.lines[d][0], space_.origin() + space_.unit(d));
      if (!is_short_[d]) place(from.lines[d][1], space_.origin() - space_.unit(d));
    }
    grow();
  }

  /// Places further ranks by all usual steps: first from well-placed ranks only.
  void grow_on(const neighbour_lists& all) {
    constexpr double nearly_all = 0.75;
    if (placed_ < all.ranks() / 8) return;
    neighbours_ = &all;
    for (const double least : {nearly_all, 0.0}) {
      steps_ = usual_steps();
      remove_misplaced(least);
      for (rank_t rank = 0; rank < all.ranks(); ++rank) {
        if (cells_[rank] == unplaced) await(rank);
      }
      grow();
    }
  }

  [[nodiscard]] grown_grid result() && {
    return {
        .space = space_, .cells = std::move(cells_), .steps = std::move(steps_), .placed = placed_};
  }

 private:
  void grow() {
    while (!waiting_.empty()) {
      end_.require();
      const rank_t rank = waiting_.front();
      waiting_.pop_front();
      is_waiting_[rank] = false;
      if (cells_[rank] == unplaced) {
        place_by_votes(rank);
      } else if (steps_.empty()) {
        place_last_neighbour(rank);
      }
    }
  }

  void await(rank_t rank) {
    if (is_waiting_[rank]) return;
    is_waiting_[rank] = true;
    waiting_.push_back(rank);
  }

  void place(rank_t rank, cell where) {
    if (cells_[rank] != unplaced || !space_.is_inside(where)) return;
    cells_[rank] = where;
    occupants_.put(where, rank);
    ++placed_;
    await(rank);
    for (const rank_t each : neighbours_->of(rank)) await(each);
  }

  template <class Visit>
  void for_each_beside(cell where, Visit&& visit) const {
    for (const cell step : steps_) {
      if (is_allowed(where + step)) visit(where + step);
    }
    if (!steps_.empty()) return;
    for (unsigned d = 0; d < space_.dimensions(); ++d) {
      const cell step = space_.unit(d);
      if (!is_short_[d] || space_.coordinate(where, d) == 0) visit(where + step);
      if (!is_short_[d] || space_.coordinate(where, d) == 1) visit(where - step);
    }
  }

  [[nodiscard]] bool is_allowed(cell where) const {
    for (unsigned d = 0; d < space_.dimensions(); ++d) {
      if (is_short_[d] && (space_.coordinate(where, d) & ~std::int64_t{1}) != 0) return false;
    }
    return true;
  }

  void place_by_votes(rank_t rank) {
    votes_.clear();
    for (const rank_t each : neighbours_->of(rank)) {
      if (cells_[each] == unplaced) continue;
      for_each_beside(cells_[each], [&](cell where) { votes_.push_back(where); });
    }
    std::ranges::sort(votes_);
    std::size_t most = 1;
    cell best = unplaced;
    for (std::size_t i = 0; i < votes_.size();) {
      std::size_t end = i + 1;
      while (end < votes_.size() && votes_[end] == votes_[i]) ++end;
      const std::size_t count = end - i;
      if (count > 1 && count >= most && occupants_.at(votes_[i]) == invalid_rank) {
        best = count > most ? votes_[i] : unplaced;
        most = count;
      }
      i = end;
    }
    if (best != unplaced) place(rank, best);
  }

  /// If both are unique: the unplaced neighbour receives the free direction.
  void place_last_neighbour(rank_t rank) {
    rank_t last = invalid_rank;
    for (const rank_t each : neighbours_->of(rank)) {
      if (cells_[each] != unplaced) continue;
      if (last != invalid_rank) return;
      last = each;
    }
    if (last == invalid_rank) return;
    cell free = unplaced;
    unsigned directions = 0;
    for_each_beside(cells_[rank], [&](cell where) {
      if (occupants_.at(where) != invalid_rank) return;
      free = where;
      ++directions;
    });
    if (directions == 1) place(last, free);
  }

  /// Steps that over a third of the sampled ranks use; steps across a border count too.
  [[nodiscard]] std::vector<cell> usual_steps() const {
    constexpr rank_t looked_at = 4096;
    std::unordered_map<cell, std::size_t> counts;
    std::size_t from = 0;
    const rank_t stride = std::max<rank_t>(1, neighbours_->ranks() / looked_at);
    for (rank_t rank = 0; rank < neighbours_->ranks(); rank += stride) {
      if (cells_[rank] == unplaced) continue;
      ++from;
      for (const rank_t each : neighbours_->of(rank)) {
        if (cells_[each] != unplaced) ++counts[cells_[each] - cells_[rank]];
      }
    }
    std::vector<cell> usual;
    for (const auto& [step, count] : counts) {
      if (count * 3 > from) usual.push_back(step);
    }
    std::ranges::sort(usual);
    return usual;
  }

  /// Removes ranks of which most steps are unusual.
  ///
  /// @param least also removes ranks with fewer usual steps than this fraction of the best ranks'
  void remove_misplaced(double least) {
    std::vector<int> well_placed(neighbours_->ranks(), 0);
    std::vector<int> all(neighbours_->ranks(), 0);
    for (rank_t rank = 0; rank < neighbours_->ranks(); ++rank) {
      if (cells_[rank] == unplaced) continue;
      for (const rank_t each : neighbours_->of(rank)) {
        if (cells_[each] == unplaced) continue;
        ++all[rank];
        const bool is_usual = std::ranges::binary_search(steps_, cells_[each] - cells_[rank]);
        well_placed[rank] += is_usual ? 1 : 0;
      }
    }
    std::vector<int> counts = well_placed;
    const auto best = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() * 9 / 10);
    std::ranges::nth_element(counts, best);
    placed_ = 0;
    occupants_ = occupants(neighbours_->ranks());
    for (rank_t rank = 0; rank < neighbours_->ranks(); ++rank) {
      if (cells_[rank] == unplaced) continue;
      if (2 * well_placed[rank] < all[rank] || well_placed[rank] < least * *best) {
        cells_[rank] = unplaced;
      } else {
        occupants_.put(cells_[rank], rank);
        ++placed_;
      }
    }
  }

  const neighbour_lists* neighbours_;
  deadline& end_;
  cell_space space_;
  std::vector<cell> cells_;
  std::vector<bool> is_short_;  ///< by dimension: only two cells
  occupants occupants_;
  std::deque<rank_t> waiting_;
  std::vector<bool> is_waiting_;
  std::vector<cell> votes_;
  std::vector<cell> steps_;
  std::size_t placed_ = 0;
};

}  // namespace

std::optional<seated_grid> grow_grid(const neighbour_lists& faces, const neighbour_lists& all,
                                     deadline& end) {
  constexpr rank_t small = 1024;
  const rank_t ranks = faces.ranks();
  std::optional<seated_grid> best;
  for (const seed& each : seeds(faces)) {
    growth from_here(faces, each, end);
    if (&all != &faces) from_here.grow_on(all);
    auto found = seated(std::move(from_here).result(), faces);
    if (!found) continue;
    const bool is_full = found->ranks.size() == ranks;
    const bool is_confirmed = best && best->extents == found->extents && ranks > small;
    if (!best || found->ranks.size() < best->ranks.size()) best = std::move(found);
    if (is_full || is_confirmed) break;
  }
  return best;
}

std::vector<rank_t> grown_parts(neighbour_lists faces, deadline& end) {
  constexpr std::size_t most_seeds = 4;
  constexpr rank_t most_parts = 16;
  const rank_t ranks = faces.ranks();
  std::vector<rank_t> part(ranks);
  std::iota(part.begin(), part.end(), most_parts);
  for (rank_t number = 0; number < most_parts; ++number) {
    std::vector<seed> some = seeds(faces);
    if (some.size() > most_seeds) some.resize(most_seeds);
    grown_grid largest{.space = cell_space(1), .cells = {}, .steps = {}, .placed = 0};
    for (const seed& each : some) {
      grown_grid grown = growth(faces, each, end).result();
      if (grown.placed > largest.placed) largest = std::move(grown);
    }
    if (largest.placed == 0 || largest.placed < ranks / most_parts) break;
    for (rank_t rank = 0; rank < ranks; ++rank) {
      if (largest.cells[rank] != unplaced) part[rank] = number;
    }
    faces.keep([&](rank_t one, rank_t other) {
      return part[one] >= most_parts && part[other] >= most_parts;
    });
  }
  return part;
}

}  // namespace acre::mapping
