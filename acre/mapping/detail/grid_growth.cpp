#include <acre/mapping/detail/grid_growth.hpp>

#include <acre/base/bits.hpp>

#include <array>
#include <bit>
#include <cstdlib>
#include <deque>
#include <map>
#include <numeric>
#include <utility>

namespace acre::mapping::detail {
namespace {

constexpr unsigned most_dimensions = 21;

// --- cells without bounds -----------------------------------------------------------

/// Coordinates in one number, so that a step is an addition. The origin is in the middle of what
/// fits.
using cell = std::uint64_t;

class cell_space {
 public:
  explicit cell_space(unsigned dimensions)
      : dimensions_(dimensions), bits_(std::min(21U, 63U / dimensions)) {}

  [[nodiscard]] unsigned dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] cell unit(unsigned dimension) const noexcept {
    return cell{1} << (dimension * bits_);
  }
  [[nodiscard]] std::int64_t middle() const noexcept { return std::int64_t{1} << (bits_ - 1); }
  [[nodiscard]] cell origin() const noexcept {
    cell all = 0;
    for (unsigned d = 0; d < dimensions_; ++d) all += unit(d) * static_cast<cell>(middle());
    return all;
  }
  /// From the origin.
  [[nodiscard]] std::int64_t coordinate(cell of, unsigned dimension) const noexcept {
    const cell mask = (cell{1} << bits_) - 1;
    return static_cast<std::int64_t>(of >> (dimension * bits_) & mask) - middle();
  }
  /// Whether a step to any side stays in what fits.
  [[nodiscard]] bool is_inside(cell of) const noexcept {
    for (unsigned d = 0; d < dimensions_; ++d) {
      if (std::abs(coordinate(of, d)) >= middle() - 1) return false;
    }
    return true;
  }

 private:
  unsigned dimensions_;
  unsigned bits_;
};

/// Who is in which cell: open addressing.
class occupants {
 public:
  explicit occupants(rank_t ranks)
      : mask_(std::bit_ceil(std::size_t{ranks} * 2 + 2) - 1), cells_(mask_ + 1), ranks_(mask_ + 1) {
    std::ranges::fill(ranks_, nobody);
  }
  [[nodiscard]] rank_t at(cell where) const noexcept { return ranks_[slot(where)]; }
  void put(cell where, rank_t rank) noexcept {
    const std::size_t free = slot(where);
    cells_[free] = where;
    ranks_[free] = rank;
  }

 private:
  [[nodiscard]] std::size_t slot(cell where) const noexcept {
    std::size_t i = mix_bits(where) & mask_;
    while (ranks_[i] != nobody && cells_[i] != where) i = (i + 1) & mask_;
    return i;
  }
  std::size_t mask_;
  std::vector<cell> cells_;
  std::vector<rank_t> ranks_;
};

// --- where to begin ------------------------------------------------------------------

/// The neighbours of a rank by direction.
struct seed {
  rank_t rank = nobody;
  std::vector<std::array<rank_t, 2>> lines;  ///< the second is nobody where there is one
  /// How many lines there are, and how many go on both sides.
  [[nodiscard]] std::pair<std::size_t, std::size_t> kind() const {
    const auto whole = std::ranges::count_if(lines, [](auto& each) { return each[1] != nobody; });
    return {lines.size(), static_cast<std::size_t>(whole)};
  }
};

/// Two neighbours of a rank that have no other neighbour in common are on one line with it; all
/// others close a square.
/// @return nothing where they do not form such lines
std::optional<seed> seed_at(const neighbour_lists& neighbours, rank_t rank) {
  const auto around = neighbours.of(rank);
  if (around.size() < 2 || around.size() > 2 * most_dimensions) return {};
  seed found{.rank = rank, .lines = {}};
  std::vector<bool> taken(around.size(), false);
  for (std::size_t i = 0; i < around.size(); ++i) {
    if (taken[i]) continue;
    std::array<rank_t, 2> line{around[i], nobody};
    for (std::size_t j = 0; j < around.size(); ++j) {
      if (j == i) continue;
      const unsigned common = neighbours.in_common(around[i], around[j]);
      if (common > 2) return {};
      if (common == 2) continue;
      // A second one on the same line, or one that is on another already.
      if (line[1] != nobody || taken[j] || j < i) return {};
      line[1] = around[j];
      taken[j] = true;
    }
    found.lines.push_back(line);
  }
  if (found.lines.size() < 2 || found.lines.size() > most_dimensions) return {};
  return found;
}

/// Some ranks with all of their directions: of the kinds that are most frequent, some each. At
/// borders, and where neighbours are too many or missing, they are of other kinds than elsewhere.
std::vector<seed> seeds(const neighbour_lists& neighbours) {
  constexpr rank_t looked_at = 4096;
  constexpr std::size_t most_kinds = 5;
  constexpr std::size_t most_of_a_kind = 2;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<seed>> by_kind;
  const rank_t ranks = neighbours.ranks();
  const rank_t step = std::max<rank_t>(1, ranks / looked_at);
  for (rank_t rank = step / 2; rank < ranks; rank += step) {
    auto found = seed_at(neighbours, rank);
    if (found) by_kind[found->kind()].push_back(std::move(*found));
  }
  std::vector<std::vector<seed>> kinds;
  for (auto& [kind, some] : by_kind) kinds.push_back(std::move(some));
  std::ranges::sort(kinds, std::greater{}, [](const std::vector<seed>& some) {
    return std::pair(some.size(), some.front().kind());
  });
  if (kinds.size() > most_kinds) kinds.resize(most_kinds);
  std::vector<seed> chosen;
  for (auto& some : kinds) {
    for (std::size_t i = 0; i < std::min(most_of_a_kind, some.size()); ++i) {
      chosen.push_back(std::move(some[i]));
    }
  }
  return chosen;
}

// --- growing ---------------------------------------------------------------------------

class growth {
 public:
  growth(const neighbour_lists& neighbours, const seed& from)
      : neighbours_(neighbours),
        space_(static_cast<unsigned>(from.lines.size())),
        cells_(neighbours.ranks(), unplaced),
        occupants_(neighbours.ranks()),
        is_waiting_(neighbours.ranks(), false) {
    for (const auto& line : from.lines) is_short_.push_back(line[1] == nobody);
    place(from.rank, space_.origin());
    for (unsigned d = 0; d < space_.dimensions(); ++d) {
      place(from.lines[d][0], space_.origin() + space_.unit(d));
      if (!is_short_[d]) place(from.lines[d][1], space_.origin() - space_.unit(d));
    }
    while (!waiting_.empty()) {
      const rank_t rank = waiting_.front();
      waiting_.pop_front();
      is_waiting_[rank] = false;
      if (cells_[rank] == unplaced) {
        place_by_votes(rank);
      } else {
        place_last_neighbour(rank);
      }
    }
  }

  [[nodiscard]] std::optional<grown_grid> grid() {
    if (placed_ < neighbours_.ranks() - neighbours_.ranks() / 4) return {};
    find_extents();
    std::uint64_t cells = 1;
    for (const std::uint32_t each : extents_) {
      cells *= each;
      if (cells > neighbours_.ranks()) return {};
    }
    if (cells != neighbours_.ranks()) return {};
    return grown_grid{.extents = extents_, .ranks = seat_all()};
  }

 private:
  static constexpr cell unplaced = ~cell{0};

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
    for (const rank_t each : neighbours_.of(rank)) await(each);
  }

  /// Calls with each cell beside one that a rank may be in.
  template <class Visit>
  void for_each_beside(cell where, Visit&& visit) const {
    for (unsigned d = 0; d < space_.dimensions(); ++d) {
      const cell step = space_.unit(d);
      if (!is_short_[d] || space_.coordinate(where, d) == 0) visit(where + step);
      if (!is_short_[d] || space_.coordinate(where, d) == 1) visit(where - step);
    }
  }

  /// Where most of those neighbours would have it that have a place, two at least.
  void place_by_votes(rank_t rank) {
    votes_.clear();
    for (const rank_t each : neighbours_.of(rank)) {
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
      if (count > 1 && count >= most && occupants_.at(votes_[i]) == nobody) {
        best = count > most ? votes_[i] : unplaced;
        most = count;
      }
      i = end;
    }
    if (best != unplaced) place(rank, best);
  }

  /// Of one that has one neighbour without a place, and one free direction.
  void place_last_neighbour(rank_t rank) {
    rank_t last = nobody;
    for (const rank_t each : neighbours_.of(rank)) {
      if (cells_[each] != unplaced) continue;
      if (last != nobody) return;
      last = each;
    }
    if (last == nobody) return;
    cell free = unplaced;
    unsigned directions = 0;
    for_each_beside(cells_[rank], [&](cell where) {
      if (occupants_.at(where) != nobody) return;
      free = where;
      ++directions;
    });
    if (directions == 1) place(last, free);
  }

  /// Around a border a step is as long as the dimension, but for one.
  void find_extents() {
    const unsigned dimensions = space_.dimensions();
    std::vector<std::map<std::int64_t, std::size_t>> steps(dimensions);
    std::vector<std::int64_t> most(dimensions, INT64_MIN);
    least_.assign(dimensions, INT64_MAX);
    for (rank_t rank = 0; rank < neighbours_.ranks(); ++rank) {
      if (cells_[rank] == unplaced) continue;
      for (unsigned d = 0; d < dimensions; ++d) {
        least_[d] = std::min(least_[d], space_.coordinate(cells_[rank], d));
        most[d] = std::max(most[d], space_.coordinate(cells_[rank], d));
      }
      for (const rank_t each : neighbours_.of(rank)) count_step(rank, each, steps);
    }
    for (unsigned d = 0; d < dimensions; ++d) {
      std::int64_t extent = most[d] - least_[d] + 1;
      const auto usual =
          std::ranges::max_element(steps[d], {}, [](auto& each) { return each.second; });
      if (usual != steps[d].end()) {
        const auto around = static_cast<std::size_t>(usual->first + 1);
        // From both sides there are two for each line.
        if (usual->second * around > placed_ / 2) extent = static_cast<std::int64_t>(around);
      }
      extents_.push_back(static_cast<std::uint32_t>(extent));
    }
  }

  void count_step(rank_t from, rank_t to,
                  std::vector<std::map<std::int64_t, std::size_t>>& steps) const {
    if (cells_[to] == unplaced) return;
    unsigned along = 0;
    std::int64_t length = 0;
    for (unsigned d = 0; d < space_.dimensions(); ++d) {
      const auto step = space_.coordinate(cells_[to], d) - space_.coordinate(cells_[from], d);
      if (step == 0) continue;
      if (length != 0) return;
      along = d;
      length = std::abs(step);
    }
    if (length > 1) ++steps[along][length];
  }

  [[nodiscard]] std::uint32_t number(cell where) const {
    std::uint32_t number = 0;
    for (unsigned d = 0; d < space_.dimensions(); ++d) {
      const auto place = static_cast<std::uint64_t>(space_.coordinate(where, d) - least_[d]);
      number = number * extents_[d] + static_cast<std::uint32_t>(place % extents_[d]);
    }
    return number;
  }

  /// All ranks in cells: those without a place, or with that of another, where they fit best.
  [[nodiscard]] std::vector<rank_t> seat_all() const {
    std::vector<rank_t> seated(neighbours_.ranks(), nobody);
    std::vector<std::uint32_t> seat_of(neighbours_.ranks(), nobody);
    std::vector<rank_t> standing;
    for (rank_t rank = 0; rank < neighbours_.ranks(); ++rank) {
      const std::uint32_t seat = cells_[rank] == unplaced ? nobody : number(cells_[rank]);
      if (seat == nobody || seated[seat] != nobody) {
        standing.push_back(rank);
      } else {
        seated[seat] = rank;
        seat_of[rank] = seat;
      }
    }
    std::uint32_t next = 0;
    for (const rank_t rank : standing) {
      std::uint32_t seat = best_seat(rank, seated, seat_of);
      if (seat == nobody) {
        while (seated[next] != nobody) ++next;
        seat = next;
      }
      seated[seat] = rank;
      seat_of[rank] = seat;
    }
    return seated;
  }

  [[nodiscard]] std::uint32_t best_seat(rank_t rank, std::span<const rank_t> seated,
                                        std::span<const std::uint32_t> seat_of) const {
    std::map<std::uint32_t, unsigned> votes;
    for (const rank_t each : neighbours_.of(rank)) {
      if (seat_of[each] == nobody) continue;
      std::uint32_t stride = 1;
      for (std::size_t d = extents_.size(); d-- > 0; stride *= extents_[d]) {
        const std::uint32_t place = seat_of[each] / stride % extents_[d];
        const std::uint32_t first = seat_of[each] - place * stride;
        for (const std::uint32_t step : {1U, extents_[d] - 1}) {
          const std::uint32_t beside = first + (place + step) % extents_[d] * stride;
          if (seated[beside] == nobody) ++votes[beside];
        }
      }
    }
    const auto best = std::ranges::max_element(votes, {}, [](auto& each) { return each.second; });
    return best == votes.end() ? nobody : best->first;
  }

  const neighbour_lists& neighbours_;
  cell_space space_;
  std::vector<cell> cells_;     ///< of each rank
  std::vector<bool> is_short_;  ///< dimensions of two cells
  occupants occupants_;
  std::deque<rank_t> waiting_;  ///< to be looked at: something beside them is new
  std::vector<bool> is_waiting_;
  std::vector<cell> votes_;
  std::size_t placed_ = 0;
  std::vector<std::uint32_t> extents_;
  std::vector<std::int64_t> least_;
};

}  // namespace

std::optional<grown_grid> grow_grid(const neighbour_lists& neighbours) {
  for (const seed& each : seeds(neighbours)) {
    if (auto grown = growth(neighbours, each).grid()) return grown;
  }
  return {};
}

}  // namespace acre::mapping::detail
