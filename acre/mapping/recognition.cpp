// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/recognition.hpp>

#include <acre/base/specification.hpp>
#include <acre/mapping/detail/all_to_all.hpp>
#include <acre/mapping/detail/face_neighbours.hpp>
#include <acre/mapping/detail/grid_growth.hpp>
#include <acre/mapping/detail/neighbour_lists.hpp>
#include <acre/mapping/detail/numbered_grid.hpp>
#include <acre/mapping/detail/part_of_bytes.hpp>
#include <acre/mapping/detail/several_grids.hpp>
#include <acre/mapping/detail/stencil.hpp>

#include <algorithm>
#include <utility>

namespace acre::mapping {
namespace {

/// Least fraction for several grids and empty cells, which fit nearly anything.
constexpr double least_explained_loosely = 0.75;

/// True if three further steps close a square with this one.
bool is_in_square(const neighbour_lists& neighbours, rank_t one, rank_t other) {
  for (const rank_t a : neighbours.of(one)) {
    if (a == other) continue;
    for (const rank_t b : neighbours.of(other)) {
      if (b != one && b != a && neighbours.are_neighbours(a, b)) return true;
    }
  }
  return false;
}

recognised_structure described(const traffic& pairs, seated_grid grid) {
  const stencil steps(pairs, grid.extents, grid.ranks);
  recognised_structure found{.name = "a grid of " + join(grid.extents),
                             .remark = {},
                             .extents = std::move(grid.extents),
                             .ranks = std::move(grid.ranks),
                             .explained = steps.part_of_bytes(pairs)};
  if (steps.wider() > 0) {
    found.remark = " with a stencil of " + std::to_string(steps.points()) + " points";
  }
  if (const std::size_t empty = found.ranks.size() - pairs.ranks(); empty > 0) {
    const std::size_t percents = 100 * empty / found.ranks.size();
    found.remark += ", " + std::to_string(percents) + " % of it empty";
  }
  return found;
}

/// For trees and rings: orders ranks by depth-first walks from leaves.
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
                              .remark = {},
                              .extents = {ranks},
                              .ranks = std::move(visited),
                              .explained = explained};
}

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

template <class PeersOf>
bool do_most_talk(rank_t ranks, PeersOf&& peers_of) {
  std::size_t talking = 0;
  for (rank_t rank = 0; rank < ranks; ++rank) talking += peers_of(rank).empty() ? 0 : 1;
  return 2 * talking >= ranks;
}

/// Drops ranks with far more peers than the median, e.g. roots of gathers.
void drop_hubs(neighbour_lists& neighbours) {
  std::vector<std::size_t> degrees;
  degrees.reserve(neighbours.ranks());
  for (rank_t rank = 0; rank < neighbours.ranks(); ++rank) {
    degrees.push_back(neighbours.of(rank).size());
  }
  std::vector<std::size_t> some = degrees;
  const auto middle = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
  std::ranges::nth_element(some, middle);
  const std::size_t most = 8 * (*middle + 2);
  if (std::ranges::max(degrees) <= most) return;
  neighbours.keep(
      [&](rank_t one, rank_t other) { return degrees[one] <= most && degrees[other] <= most; });
}

struct work {
  double in_common = 0;
  double for_squares = 0;
};

work work_of(const neighbour_lists& neighbours) {
  work steps;
  for (rank_t rank = 0; rank < neighbours.ranks(); ++rank) {
    const auto around = static_cast<double>(neighbours.of(rank).size());
    for (const rank_t each : neighbours.of(rank)) {
      const auto others = static_cast<double>(neighbours.of(each).size());
      steps.in_common += around + others;
      steps.for_squares += around * others;
    }
  }
  return steps;
}

class recogniser {
 public:
  recogniser(const traffic& pairs, deadline& end) : pairs_(pairs), end_(end) {}

  void look_for_one() {
    if (auto numbered = numbered_grid(pairs_)) {
      take(described(pairs_, {std::move(numbered->extents), std::move(numbered->ranks)}));
    }
    const double usual = bytes_at(pairs_, 0.95);
    for (const double part : {0.0, 0.01, 0.1, 0.5}) {
      if (is_enough()) return;
      look_among(neighbour_lists(
          pairs_, [&](rank_t, const traffic::flow& each) { return each.bytes >= part * usual; }));
    }
  }

  void look_for_several() {
    for (const std::vector<rank_t>& part : partitions_) {
      if (is_enough()) return;
      several_grids all(pairs_, part);
      for (std::size_t i = 0; i < all.parts(); ++i) {
        const traffic within = all.within(i);
        recogniser one(within, end_);
        one.look_for_one();
        all.set(i, std::move(one).best());
      }
      auto found = std::move(all).side_by_side();
      if (found && found->explained >= least_explained_loosely) take(std::move(found));
    }
  }

  [[nodiscard]] std::optional<recognised_structure> best() && {
    if (best_.explained < least_explained) return {};
    return std::move(best_);
  }

 private:
  [[nodiscard]] bool is_enough() const { return best_.explained >= enough_explained; }

  void take(std::optional<recognised_structure> other) {
    if (!other || other->explained <= best_.explained) return;
    const bool is_loose = other->ranks.size() > pairs_.ranks();
    if (!is_loose || other->explained >= least_explained_loosely) best_ = std::move(*other);
  }

  void look_among(neighbour_lists neighbours) {
    constexpr std::size_t most_peers = 64;
    constexpr double most_work = 1e9;
    if (end_.is_over()) throw too_late{};
    if (neighbours.ends() > most_peers * pairs_.ranks() || neighbours.ends() == last_ends_) return;
    last_ends_ = neighbours.ends();
    take(along_walk(pairs_, neighbours));
    drop_hubs(neighbours);
    if (!do_most_talk(pairs_.ranks(), [&](rank_t rank) { return neighbours.of(rank); })) return;
    const work steps = work_of(neighbours);
    if (is_enough() || steps.in_common > most_work) return;
    if (mostly_in_triangles(neighbours)) {
      look_for_grids(face_neighbours(neighbours, end_), neighbours);
    }
    if (is_enough() || steps.for_squares > most_work) return;
    neighbour_lists squares = neighbours;
    // Nearly all grid neighbours are a side of a square; hardly other pairs.
    squares.keep([&](rank_t one, rank_t other) {
      end_.require();
      return is_in_square(neighbours, one, other);
    });
    look_for_grids(squares, squares);
    if (!is_enough()) take(all_to_all_parts(pairs_, std::move(neighbours), end_));
  }

  void look_for_grids(const neighbour_lists& faces, const neighbour_lists& all) {
    if (auto grown = grow_grid(faces, all, end_)) take(described(pairs_, std::move(*grown)));
    if (is_enough()) return;
    auto parts = connected_parts(faces);
    if (!several_grids(pairs_, parts).hold_most()) parts = grown_parts(faces, end_);
    if (several_grids(pairs_, parts).hold_most()) partitions_.push_back(std::move(parts));
  }

  const traffic& pairs_;
  deadline& end_;
  std::size_t last_ends_ = 0;
  recognised_structure best_;
  std::vector<std::vector<rank_t>> partitions_;
};

}  // namespace

std::optional<recognised_structure> recognise(const traffic& flows,
                                              std::chrono::steady_clock::time_point until) {
  constexpr rank_t fewest = 8;
  deadline end(until);
  if (flows.ranks() < fewest || flows.flows() == 0 || end.is_over()) return {};
  const traffic pairs = both_ways(flows);
  if (!do_most_talk(pairs.ranks(), [&](rank_t rank) { return pairs.from(rank); })) return {};
  recogniser all(pairs, end);
  try {
    all.look_for_one();
    all.look_for_several();
  } catch (const too_late&) {
  }
  return std::move(all).best();
}

recognised_structure described_grid(const traffic& pairs, std::vector<std::uint32_t> extents,
                                    std::vector<rank_t> ranks) {
  return described(pairs, {std::move(extents), std::move(ranks)});
}

}  // namespace acre::mapping
