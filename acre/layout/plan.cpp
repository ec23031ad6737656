// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/plan.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/cut.hpp>
#include <acre/layout/grid_search.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace acre {

namespace {

using grid = std::vector<std::size_t>;

struct cost {
  double bytes = std::numeric_limits<double>::infinity();
  std::size_t changes = 0;

  friend auto operator<=>(const cost&, const cost&) = default;
  friend cost operator+(cost a, const cost& b) {
    return {.bytes = a.bytes + b.bytes, .changes = a.changes + b.changes};
  }
};

struct interval {
  std::size_t first, last;
};
/// Indices in one dimension of part `part` of `parts`.
interval part_of(std::size_t extent, std::size_t parts, std::size_t part) {
  const layout::balanced_cut cut(extent, parts);
  return {.first = cut.first(part), .last = cut.first(part + 1)};
}

[[noreturn]] void throw_invalid(const std::string& what, const char* remedy) {
  throw error("plan", what, remedy);
}

void check(const array_use& each, const std::vector<planned_array>& arrays) {
  const std::size_t most =
      each.what == array_use::kind::together && each.other > each.array ? each.other : each.array;
  if (most >= arrays.size()) {
    throw_invalid("a use refers to array " + std::to_string(most) + ", but there are " +
                      std::to_string(arrays.size()),
                  "arrays are numbered from 0, in the order of the list");
  }
  if (each.what == array_use::kind::lines && each.dimension >= arrays[each.array].extents.size()) {
    throw_invalid("lines along dimension " + std::to_string(each.dimension) + " of array " +
                      std::to_string(each.array) + ", which has " +
                      std::to_string(arrays[each.array].extents.size()) + " dimensions",
                  "dimensions are numbered from 0");
  }
  if (each.what == array_use::kind::together &&
      arrays[each.array].extents != arrays[each.other].extents) {
    throw_invalid("arrays " + std::to_string(each.array) + " and " + std::to_string(each.other) +
                      " are used together, but their extents differ",
                  "together() requires equal extents");
  }
}

/// Search over the grids of all arrays at once: a state is a number whose digits are the arrays'
/// grids.
class search {
 public:
  search(layout::member_t members, const std::vector<planned_array>& arrays) : arrays_(arrays) {
    constexpr std::size_t most_states = 1'000'000;
    for (std::size_t a = 0; a < arrays.size(); ++a) {
      grids_.push_back(grids_of(members, arrays[a]));
      if (grids_[a].empty()) {
        throw_invalid("no grid of " + std::to_string(members) +
                          " members gives each of them elements of array " + std::to_string(a),
                      "use a smaller team, or larger extents");
      }
      steps_.push_back(states_);
      states_ *= grids_[a].size();
      if (states_ > most_states) {
        throw_invalid("the arrays have more than a million combinations of grids",
                      "plan fewer arrays at once: those that no use joins are independent");
      }
      moves_.push_back(moves_of(a));
    }
  }

  [[nodiscard]] distribution_plan best(const std::vector<std::vector<array_use>>& phases) {
    std::vector<cost> costs(states_, cost{.bytes = 0});
    std::vector<std::vector<std::size_t>> before;  // of each phase: the best previous state
    for (std::size_t phase = 0; phase < phases.size(); ++phase) {
      std::vector<std::size_t> from(states_);
      for (std::size_t state = 0; state < states_; ++state) from[state] = state;
      if (phase != 0) {
        for (std::size_t a = 0; a < arrays_.size(); ++a) redistribute(a, costs, from);
      }
      for (std::size_t state = 0; state < states_; ++state) {
        for (const array_use& each : phases[phase]) {
          costs[state].bytes +=
              used_bytes(each, arrays_, grid_in(state, each.array), grid_in(state, each.other));
        }
      }
      before.push_back(std::move(from));
    }
    std::size_t state =
        static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
    distribution_plan made{.parts = {}, .bytes = costs[state].bytes};
    made.parts.resize(phases.size());
    for (std::size_t phase = phases.size(); phase-- > 0;) {
      for (std::size_t a = 0; a < arrays_.size(); ++a) {
        made.parts[phase].push_back(grid_in(state, a));
      }
      state = before[phase][state];
    }
    return made;
  }

 private:
  [[nodiscard]] std::size_t digit(std::size_t state, std::size_t a) const {
    return state / steps_[a] % grids_[a].size();
  }
  [[nodiscard]] const grid& grid_in(std::size_t state, std::size_t a) const {
    return grids_[a][digit(state, a)];
  }
  /// Cost from each grid of an array to each other.
  [[nodiscard]] std::vector<std::vector<cost>> moves_of(std::size_t a) const {
    std::vector<std::vector<cost>> moves;
    for (const grid& from : grids_[a]) {
      moves.emplace_back();
      for (const grid& to : grids_[a]) {
        moves.back().push_back({.bytes = moved_bytes(arrays_[a], from, to),
                                .changes = from == to ? std::size_t{0} : std::size_t{1}});
      }
    }
    return moves;
  }
  /// Arrays move independently, so one after the other gives the minimum over all states.
  void redistribute(std::size_t a, std::vector<cost>& costs, std::vector<std::size_t>& from) const {
    const std::vector<cost> old_costs = costs;
    const std::vector<std::size_t> old_from = from;
    for (std::size_t state = 0; state < states_; ++state) {
      const std::size_t mine = digit(state, a);
      costs[state] = cost{};
      for (std::size_t other = 0; other < grids_[a].size(); ++other) {
        const std::size_t source = state - mine * steps_[a] + other * steps_[a];
        const cost by = old_costs[source] + moves_[a][other][mine];
        if (by < costs[state]) {
          costs[state] = by;
          from[state] = old_from[source];
        }
      }
    }
  }

  const std::vector<planned_array>& arrays_;
  std::vector<std::vector<grid>> grids_;
  std::vector<std::size_t> steps_;
  std::size_t states_ = 1;
  std::vector<std::vector<std::vector<cost>>> moves_;
};

}  // namespace

std::vector<std::vector<std::size_t>> grids_of(layout::member_t members,
                                               const planned_array& array) {
  std::vector<grid> found;
  const grid any(array.extents.size(), 0);
  layout::each_grid(any, members, [&](std::span<const std::size_t> parts) {
    if (std::ranges::equal(parts, array.extents, std::ranges::less_equal())) {
      found.emplace_back(parts.begin(), parts.end());
    }
  });
  return found;
}

double moved_bytes(const planned_array& array, const std::vector<std::size_t>& from,
                   const std::vector<std::size_t>& to) {
  if (from == to) return 0;
  std::size_t members = 1;
  for (const std::size_t parts : to) members *= parts;
  std::size_t most = 0;
  for (std::size_t member = 0; member < members; ++member) {
    std::size_t own = 1, kept = 1;
    std::size_t rest_from = member, rest_to = member;
    for (std::size_t d = array.extents.size(); d-- > 0;) {
      const interval old = part_of(array.extents[d], from[d], rest_from % from[d]);
      const interval now = part_of(array.extents[d], to[d], rest_to % to[d]);
      rest_from /= from[d];
      rest_to /= to[d];
      own *= now.last - now.first;
      const std::size_t first = std::max(old.first, now.first);
      const std::size_t last = std::min(old.last, now.last);
      kept *= last > first ? last - first : 0;
    }
    most = std::max(most, own - kept);
  }
  return static_cast<double>(most * array.element_bytes);
}

double used_bytes(const array_use& what, const std::vector<planned_array>& arrays,
                  const std::vector<std::size_t>& parts,
                  const std::vector<std::size_t>& parts_read) {
  const planned_array& array = arrays[what.array];
  const auto times = static_cast<double>(what.times);
  // Part 0 is the longest in each dimension.
  double own = static_cast<double>(array.element_bytes);
  for (std::size_t d = 0; d < parts.size(); ++d) {
    own *= static_cast<double>(part_of(array.extents[d], parts[d], 0).last);
  }
  switch (what.what) {
    case array_use::kind::elements:
      return 0;
    case array_use::kind::lines: {
      const auto divided = static_cast<double>(parts[what.dimension]);
      return 2 * times * own * (divided - 1) / divided;
    }
    case array_use::kind::stencil: {
      double bytes = 0;
      for (std::size_t d = 0; d < parts.size(); ++d) {
        const std::size_t length = part_of(array.extents[d], parts[d], 0).last;
        const auto sides = static_cast<double>(std::min<std::size_t>(parts[d] - 1, 2));
        bytes += sides * static_cast<double>(what.width) * own / static_cast<double>(length);
      }
      return times * bytes;
    }
    case array_use::kind::together:
      return times * moved_bytes(arrays[what.other], parts_read, parts);
  }
  return 0;
}

distribution_plan plan(layout::member_t members, const std::vector<planned_array>& arrays,
                       const std::vector<std::vector<array_use>>& phases) {
  for (const auto& phase : phases) {
    for (const array_use& each : phase) check(each, arrays);
  }
  return search(members, arrays).best(phases);
}

}  // namespace acre
