// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/grid_seating.hpp>

#include <map>
#include <utility>

namespace acre::mapping {
namespace {

class grown_seating {
 public:
  grown_seating(const grown_grid& grown, const neighbour_lists& faces)
      : grown_(grown), faces_(faces), space_(grown.space) {
    count_layers();
    count_steps();
  }

  /// @param least_filled omits outer layers below this fraction of the mean
  /// @return number of cells; 0: too many
  std::uint64_t find_extents(double least_filled) {
    axes_.clear();
    std::uint64_t cells = 1;
    for (unsigned d = 0; d < space_.dimensions(); ++d) {
      const auto& layers = layers_[d];
      const double least =
          least_filled * static_cast<double>(grown_.placed) / static_cast<double>(layers.size());
      std::size_t first = 0;
      std::size_t end = layers.size();
      while (first + 1 < end && static_cast<double>(layers[first]) < least) ++first;
      while (first + 1 < end && static_cast<double>(layers[end - 1]) < least) --end;
      const auto steps = around(d);
      axes_.push_back({.dimension = d,
                       .first = begin_[d] + static_cast<std::int64_t>(first),
                       .extent = steps.value_or(static_cast<std::uint32_t>(end - first)),
                       .is_joined = steps.has_value()});
      cells *= axes_.back().extent;
      if (cells > most_cells_a_rank * faces_.ranks()) return 0;
    }
    std::ranges::sort(axes_, {},
                      [](const axis& each) { return std::pair(~each.extent, each.dimension); });
    return cells;
  }

  [[nodiscard]] seated_grid seat_all(std::uint64_t cells) const {
    std::vector<rank_t> seated(cells, invalid_rank);
    std::vector<std::uint32_t> seat_of(faces_.ranks(), invalid_rank);
    std::vector<rank_t> standing;
    for (rank_t rank = 0; rank < faces_.ranks(); ++rank) {
      const std::uint32_t seat = number(grown_.cells[rank]);
      if (seat == invalid_rank || seated[seat] != invalid_rank) {
        standing.push_back(rank);
      } else {
        seated[seat] = rank;
        seat_of[rank] = seat;
      }
    }
    std::uint32_t next = 0;
    for (const rank_t rank : standing) {
      std::uint32_t seat = best_seat(rank, seated, seat_of);
      if (seat == invalid_rank) {
        while (seated[next] != invalid_rank) ++next;
        seat = next;
      }
      seated[seat] = rank;
      seat_of[rank] = seat;
    }
    seated_grid all{.extents = {}, .ranks = std::move(seated)};
    for (const axis& each : axes_) all.extents.push_back(each.extent);
    return all;
  }

 private:
  static constexpr std::uint64_t most_cells_a_rank = 4;

  struct axis {
    unsigned dimension;
    std::int64_t first;
    std::uint32_t extent;
    bool is_joined;
  };

  void count_layers() {
    for (unsigned d = 0; d < space_.dimensions(); ++d) {
      std::int64_t least = INT64_MAX;
      std::int64_t most = INT64_MIN;
      for (const cell each : grown_.cells) {
        if (each == unplaced) continue;
        least = std::min(least, space_.coordinate(each, d));
        most = std::max(most, space_.coordinate(each, d));
      }
      std::vector<std::size_t> layers(static_cast<std::size_t>(most - least + 1), 0);
      for (const cell each : grown_.cells) {
        if (each != unplaced)
          ++layers[static_cast<std::size_t>(space_.coordinate(each, d) - least)];
      }
      begin_.push_back(least);
      layers_.push_back(std::move(layers));
    }
  }

  void count_steps() {
    steps_.resize(space_.dimensions());
    for (rank_t rank = 0; rank < faces_.ranks(); ++rank) {
      if (grown_.cells[rank] == unplaced) continue;
      for (const rank_t each : faces_.of(rank)) {
        if (grown_.cells[each] != unplaced) count_step(grown_.cells[rank], grown_.cells[each]);
      }
    }
  }

  void count_step(cell from, cell to) {
    if (std::ranges::binary_search(grown_.steps, to - from)) return;
    unsigned along = 0;
    std::int64_t length = 0;
    for (unsigned d = 0; d < space_.dimensions(); ++d) {
      const auto step = space_.coordinate(to, d) - space_.coordinate(from, d);
      if (step == 0) continue;
      if (length != 0) return;
      along = d;
      length = std::abs(step);
    }
    if (length > 1) ++steps_[along][length];
  }

  /// Extent of a periodic dimension, else empty: a step across the border is one shorter.
  [[nodiscard]] std::optional<std::uint32_t> around(unsigned dimension) const {
    const auto& steps = steps_[dimension];
    const auto usual = std::ranges::max_element(steps, {}, [](auto& each) { return each.second; });
    if (usual == steps.end()) return {};
    const auto extent = static_cast<std::size_t>(usual->first + 1);
    if (usual->second * extent <= grown_.placed / 2) return {};
    return static_cast<std::uint32_t>(extent);
  }

  [[nodiscard]] std::uint32_t number(cell where) const {
    if (where == unplaced) return invalid_rank;
    std::uint32_t number = 0;
    for (const axis& along : axes_) {
      const std::int64_t extent = along.extent;
      const std::int64_t place = space_.coordinate(where, along.dimension) - along.first;
      const bool is_beyond = place < 0 || place >= extent;
      if (is_beyond && !along.is_joined) return invalid_rank;
      const std::int64_t inside = is_beyond ? (place % extent + extent) % extent : place;
      number = number * along.extent + static_cast<std::uint32_t>(inside);
    }
    return number;
  }

  [[nodiscard]] std::uint32_t best_seat(rank_t rank, std::span<const rank_t> seated,
                                        std::span<const std::uint32_t> seat_of) const {
    std::map<std::uint32_t, unsigned> votes;
    for (const rank_t each : faces_.of(rank)) {
      if (seat_of[each] == invalid_rank) continue;
      std::uint32_t stride = 1;
      for (std::size_t i = axes_.size(); i-- > 0; stride *= axes_[i].extent) {
        const std::uint32_t extent = axes_[i].extent;
        const std::uint32_t place = seat_of[each] / stride % extent;
        const std::uint32_t first = seat_of[each] - place * stride;
        for (const std::uint32_t step : {1U, extent - 1}) {
          const std::uint32_t beside = first + (place + step) % extent * stride;
          if (seated[beside] == invalid_rank) ++votes[beside];
        }
      }
    }
    const auto best = std::ranges::max_element(votes, {}, [](auto& each) { return each.second; });
    return best == votes.end() ? invalid_rank : best->first;
  }

  const grown_grid& grown_;
  const neighbour_lists& faces_;
  const cell_space& space_;
  std::vector<std::int64_t> begin_;
  std::vector<std::vector<std::size_t>> layers_;
  std::vector<std::map<std::int64_t, std::size_t>> steps_;
  std::vector<axis> axes_;
};

}  // namespace

std::optional<seated_grid> seated(const grown_grid& grown, const neighbour_lists& faces) {
  const rank_t ranks = faces.ranks();
  if (grown.placed < ranks - ranks / 4) return {};
  grown_seating all(grown, faces);
  // Sparse layers hold misplaced ranks, or end a partly filled grid.
  constexpr double few = 0.25;
  constexpr double very_few = 0.01;
  if (all.find_extents(few) == ranks) return all.seat_all(ranks);
  const std::uint64_t cells = all.find_extents(very_few);
  if (cells < ranks) return {};
  return all.seat_all(cells);
}

}  // namespace acre::mapping
