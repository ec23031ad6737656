// SPDX-License-Identifier: BSD-3-Clause
// Compares distributed ranges. Collective in the team of the first; all members receive the result.
#pragma once

#include <acre/algorithm/detail/aligned_runs.hpp>
#include <acre/algorithm/detail/projected_order.hpp>
#include <acre/algorithm/detail/range_parts.hpp>
#include <acre/algorithm/detail/segment_reads.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace acre {

namespace algorithm {

/// Returns the first index that differs; the shorter size if equal.
template <class A, class B, class Equal>
[[nodiscard]] std::size_t first_difference(A& a, B& b, const Equal& equal, const char* call,
                                           const site& where) {
  const std::size_t size = std::min(static_cast<std::size_t>(std::ranges::size(a)),
                                    static_cast<std::size_t>(std::ranges::size(b)));
  const auto own = [&] {
    possible<std::size_t> first;
    each_aligned_run(
        a, size, where,
        [&](std::size_t index, auto mine, auto theirs) {
          if (first.is_there && index >= first.value) return;
          const auto found = std::mismatch(mine.begin(), mine.end(), theirs.begin(), equal).first;
          if (found == mine.end()) return;
          combine_into(first, index + static_cast<std::size_t>(found - mine.begin()), op::min);
        },
        b);
    return first;
  };
  const auto first = combine_on_all<std::size_t>(ranges::members(a), call, where, op::min, own);
  return first.is_there ? first.value : size;
}

template <ranges::distributed_range R, class Before>
[[nodiscard]] bool runs_follow(R& range, const Before& before, const site& where) {
  using T = ranges::value_of<R>;
  segment_reads<ranges::segment_of<R>> reads;
  struct seam {
    T last;
    typename decltype(reads)::elements next;
  };
  std::vector<seam> seams;
  bool do_follow = true;
  const auto look = [&] {
    reads.finish("is_sorted_on_all");
    quiet();
    for (const seam& each : seams) {
      const T& next = *std::ranges::begin(each.next);
      do_follow = do_follow && !before(next, each.last);
    }
    seams.clear();
    reads.forget();
  };
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  ranges::each_own_run(range, [&](std::size_t index, auto run) {
    const std::size_t end = index + static_cast<std::size_t>(std::ranges::size(run));
    if (end == index || end == size) return;
    const auto segment = segment_at(range, end, 1);
    if (reads.fits(segment) == 0) look();
    seams.push_back({static_cast<T>(run.back()), reads.read(segment, where)});
  });
  look();
  return do_follow;
}

}  // namespace algorithm

/// Returns iterators to the first mismatch, or the shorter range's end. Cost: 1 B and 1 allreduce;
/// R per contiguous run common to both ranges and on another node.
template <ranges::distributed_range A, ranges::distributed_range B,
          class Equal = std::ranges::equal_to>
  requires algorithm::takes_second<A, B, Equal>
[[nodiscard]] auto mismatch_on_all(A&& a, B&& b, const Equal& equal = {},
                                   const site& where = site::current()) {
  view::begin_collective_call("mismatch_on_all", where, a, b);
  const auto first = static_cast<std::ptrdiff_t>(
      algorithm::first_difference(a, b, equal, "mismatch_on_all", where));
  return std::ranges::in_in_result{std::ranges::begin(a) + first, std::ranges::begin(b) + first};
}

/// True if sizes and elements are equal. Cost: as mismatch_on_all().
template <ranges::distributed_range A, ranges::distributed_range B,
          class Equal = std::ranges::equal_to>
  requires algorithm::takes_second<A, B, Equal>
[[nodiscard]] bool equal_on_all(A&& a, B&& b, const Equal& equal = {},
                                const site& where = site::current()) {
  view::begin_collective_call("equal_on_all", where, a, b);
  const auto size = static_cast<std::size_t>(std::ranges::size(a));
  if (size != static_cast<std::size_t>(std::ranges::size(b))) return false;
  return algorithm::first_difference(a, b, equal, "equal_on_all", where) == size;
}

/// True if no element is before its predecessor by less(projection(a), projection(b)). Cost: 1 B
/// and 1 allreduce; per contiguous run R for the next element, l within a node.
template <ranges::distributed_range R, class Less = std::ranges::less,
          class Projection = std::identity>
  requires algorithm::takes_weak_order<R, Less, Projection>
[[nodiscard]] bool is_sorted_on_all(R&& range, const Less& less = {},
                                    const Projection& projection = {},
                                    const site& where = site::current()) {
  view::begin_collective_call("is_sorted_on_all", where, range);
  const algorithm::projected_order<Less, Projection> before{less, projection};
  const auto own = [&] {
    bool is_sorted = true;
    ranges::each_own_run(range, [&](std::size_t, auto run) {
      is_sorted = is_sorted && std::ranges::is_sorted(run, less, projection);
    });
    return algorithm::possible<bool>{is_sorted && algorithm::runs_follow(range, before, where),
                                     true};
  };
  return algorithm::combine_on_all<bool>(ranges::members(range), "is_sorted_on_all", where,
                                         op::logical_and, own)
      .value;
}

}  // namespace acre
