// SPDX-License-Identifier: BSD-3-Clause
// Searches an order of operations, each between begin and end, that a sequential model reproduces
// (Wing and Gong, JPDC 1993), caching failed pairs of completed set and state (Lowe, CCPE 2017).
#pragma once

#include "history.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace histories {

/// Sequential object. Optional: M::plan(events) sets `due`, the priority; M::only_grows: what keeps
/// the state once, always does.
template <class M>
concept model = requires(typename M::state& state, const event& each) {
  { M::step(state, each) } -> std::same_as<bool>;  // false: impossible
  { state < state } -> std::convertible_to<bool>;
};

/// Search limit, after which M::is_possible(events, initial) decides, if present; else `undecided`
/// counts.
inline constexpr std::size_t most_tried = 400'000;
inline std::uint64_t undecided = 0;

template <model Model>
class order_search {
 public:
  explicit order_search(std::vector<event> events) : events_(std::move(events)) {
    std::vector<point> points;
    for (std::size_t i = 0; i < events_.size(); ++i) {
      points.push_back({events_[i].begin, false, i});
      points.push_back({events_[i].end, true, i});
    }
    // Equal times may overlap: begins first.
    std::ranges::sort(points, [](const point& a, const point& b) {
      return std::pair(a.time, a.is_end) < std::pair(b.time, b.is_end);
    });
    links_.resize(points.size() + 2);
    begin_of_.resize(events_.size());
    end_of_.resize(events_.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      links_[i + 1] = {.before = i, .after = i + 2, .of = points[i]};
      (points[i].is_end ? end_of_ : begin_of_)[points[i].event] = i + 1;
    }
    links_.front().after = 1;
    links_.back().before = points.size();
  }

  /// @return empty if the search was given up
  [[nodiscard]] std::optional<bool> succeeds(typename Model::state initial) {
    struct step {
      typename Model::state before;
      std::vector<std::size_t> next;  ///< candidates, best last
      std::size_t taken = 0;
    };
    typename Model::state state = std::move(initial);
    std::vector<bool> done(events_.size());
    std::set<std::pair<std::vector<bool>, typename Model::state>> tried;
    std::vector<step> steps;
    steps.push_back({state, candidates(state)});
    while (!is_explained()) {
      step& here = steps.back();
      if (here.next.empty()) {
        steps.pop_back();
        if (steps.empty()) return false;
        const std::size_t undone = steps.back().taken;
        state = steps.back().before;
        done[undone] = false;
        put_back(undone);
        continue;
      }
      const std::size_t event = here.next.back();
      here.next.pop_back();
      typename Model::state after = state;
      if (!Model::step(after, events_[event])) continue;
      done[event] = true;
      if (tried.size() == most_tried) return std::nullopt;
      if (!tried.emplace(done, after).second) {
        done[event] = false;
        continue;
      }
      here.taken = event;
      state = std::move(after);
      take_out(event);
      steps.push_back({state, candidates(state)});
    }
    return true;
  }

 private:
  struct point {
    std::int64_t time = 0;
    bool is_end = false;
    std::size_t event = 0;
  };
  struct link {
    std::size_t before = 0;
    std::size_t after = 0;
    point of;
  };

  [[nodiscard]] bool is_explained() const { return links_.front().after == links_.size() - 1; }

  /// Operations begun before any remaining one ended. Best last: known results, then by `due`.
  [[nodiscard]] std::vector<std::size_t> candidates(const typename Model::state& now) const {
    std::vector<std::size_t> found;
    for (std::size_t at = links_.front().after; at != links_.size() - 1; at = links_[at].after) {
      const point& here = links_[at].of;
      if (here.is_end) break;
      const event& mine = events_[here.event];
      if (keeps(now, mine)) return {here.event};
      const auto twin = std::ranges::find_if(
          found, [&](std::size_t other) { return are_alike(events_[other], mine); });
      if (twin == found.end()) {
        found.push_back(here.event);
      } else if (mine.end < events_[*twin].end) {
        *twin = here.event;
      }
    }
    const auto says_something = [&](std::size_t each) {
      return events_[each].has_value || events_[each].result != answer::unknown;
    };
    std::ranges::sort(found, [&](std::size_t a, std::size_t b) {
      return std::tuple(says_something(a), -events_[a].due, a) <
             std::tuple(says_something(b), -events_[b].due, b);
    });
    return found;
  }
  /// True if it can happen now, and changes the state neither now nor later.
  static bool keeps(const typename Model::state& now, const event& each) {
    if (!is_read(each.what) && !requires { Model::only_grows; }) return false;
    typename Model::state after = now;
    if (!Model::step(after, each)) return false;
    return is_read(each.what) || (!(after < now) && !(now < after));
  }
  static bool are_alike(const event& a, const event& b) {
    const auto essence = [](const event& each) {
      return std::tuple(each.what, each.result, each.has_value, each.key, each.argument,
                        each.expected, each.value);
    };
    return essence(a) == essence(b);
  }

  void unlink(std::size_t at) {
    links_[links_[at].before].after = links_[at].after;
    links_[links_[at].after].before = links_[at].before;
  }
  void relink(std::size_t at) {
    links_[links_[at].before].after = at;
    links_[links_[at].after].before = at;
  }
  void take_out(std::size_t event) {
    unlink(begin_of_[event]);
    unlink(end_of_[event]);
  }
  void put_back(std::size_t event) {
    relink(end_of_[event]);
    relink(begin_of_[event]);
  }

  std::vector<event> events_;
  std::vector<link> links_;
  std::vector<std::size_t> begin_of_;
  std::vector<std::size_t> end_of_;
};

/// True also if the search was given up.
template <model Model>
[[nodiscard]] bool may_be_explained(const std::vector<event>& events,
                                    const typename Model::state& initial) {
  if constexpr (requires { Model::is_possible(events, initial); }) {
    return Model::is_possible(events, initial);
  } else {
    ++undecided;
    return true;
  }
}

/// Checks each key separately (Herlihy and Wing, TOPLAS 1990).
///
/// @return events of an unexplained key
template <model Model>
[[nodiscard]] std::optional<std::vector<event>> find_unexplained(
    std::span<const event> events, const typename Model::state& initial = {}) {
  std::map<std::uint64_t, std::vector<event>> of_key;
  for (const event& each : events) of_key[each.key].push_back(each);
  for (auto& [key, mine] : of_key) {
    for (event& each : mine) each.due = each.end;
    if constexpr (requires { Model::plan(mine); }) Model::plan(mine);
    const std::optional<bool> found = order_search<Model>(mine).succeeds(initial);
    if (found ? *found : may_be_explained<Model>(mine, initial)) continue;
    std::ranges::sort(mine, {}, &event::begin);
    return mine;
  }
  return std::nullopt;
}

}  // namespace histories
