// SPDX-License-Identifier: BSD-3-Clause
// This rank's elements of a range, as plain memory.
//
//     for (int& x : acre::own(a)) x = 1;                          // a loop over pointers
//     for (const std::span<int> run : acre::own_runs(part)) …     // several runs: one loop each
//     std::ranges::for_each(acre::own(a | std::views::take(9)), f);
#pragma once

#include <acre/layout/pattern.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

namespace acre {

namespace view {
template <class R>
using own_span = std::span<std::remove_reference_t<ranges::own_reference_of<R>>>;
/// Containers without gaps, and iterators over a pattern of one run per member.
template <class R>
concept of_one_own_run = requires {
  requires layout::is_dense<typename std::remove_cvref_t<R>::pattern_type>;
} || requires { requires std::ranges::iterator_t<R>::has_one_own_run; };
}  // namespace view

/// Own elements of a range as runs of memory, in any order: a loop over each vectorises. Local.
/// Cost: l for each run.
/// @param r  its container outlives the result; moves of an array do not matter
template <view::viewable R>
  requires ranges::memory_range<R>
[[nodiscard]] std::vector<view::own_span<R>> own_runs(R&& r) {
  std::vector<view::own_span<R>> runs;
  if (std::ranges::empty(r)) return runs;
  ranges::each_own(r, [&](view::own_span<R> run) { runs.push_back(run); });
  return runs;
}

/// Own elements of a range, to be read and assigned in a loop. Local.
/// @return std::span for whole arrays and matrices without gaps, and for parts of an array of which
/// each member has one run of indices; for others own_runs() joined, whose loop does not vectorise
/// Cost: l, in parts of an array a bisection, or l for each run.
template <view::viewable R>
  requires ranges::memory_range<R>
[[nodiscard]] auto own(R&& r) {
  if constexpr (view::of_one_own_run<R>) {
    view::own_span<R> all;
    if (!std::ranges::empty(r)) ranges::each_own(r, [&](view::own_span<R> run) { all = run; });
    return all;
  } else {
    return std::views::join(own_runs(r));
  }
}

}  // namespace acre
