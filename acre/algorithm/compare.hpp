// Whether two distributed ranges are equal, where they differ, and whether one is sorted.
//
//     if (acre::equal_on_all(a, b)) …
//     const auto [in_a, in_b] = acre::mismatch_on_all(a, b);      // iterators
//     assert(acre::is_sorted_on_all(a));
//
// Collective in the team of the first range, of which each member looks at its own elements; all
// members get the same answer.
#pragma once

#include <acre/algorithm/detail/aligned_runs.hpp>
#include <acre/algorithm/detail/plain_buffer.hpp>
#include <acre/algorithm/detail/projected_order.hpp>
#include <acre/algorithm/detail/run_transfer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/reduction.hpp>
#include <acre/view/ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace acre {

namespace detail {

/// The first index at which two ranges differ; the size of the shorter when there is none.
template <class A, class B, class Equal>
[[nodiscard]] std::size_t first_difference(A& a, B& b, const Equal& equal, const site& where) {
  const std::size_t size = std::min(static_cast<std::size_t>(std::ranges::size(a)),
                                    static_cast<std::size_t>(std::ranges::size(b)));
  const team& members = ranges::members(a);
  members.barrier(where);  // what others wrote before
  std::size_t first = size;
  each_aligned_run(
      a, size, where,
      [&](std::size_t index, auto mine, auto theirs) {
        if (index >= first) return;
        const auto found = std::mismatch(mine.begin(), mine.end(), theirs.begin(), equal).first;
        if (found == mine.end()) return;
        first = index + static_cast<std::size_t>(found - mine.begin());
      },
      b);
  return members.allreduce(first, op::min, where);
}

}  // namespace detail

/// Where the ranges first differ, in both: the end of the shorter when they do not. Cost: 1 B and 1
/// allreduce; R for each run of elements of another node's members that are beside each other in
/// both ranges.
template <ranges::distributed_range A, ranges::distributed_range B,
          class Equal = std::ranges::equal_to>
[[nodiscard]] auto mismatch_on_all(A&& a, B&& b, const Equal& equal = {},
                                   const site& where = site::current()) {
  const auto first = static_cast<std::ptrdiff_t>(detail::first_difference(a, b, equal, where));
  return std::ranges::in_in_result{std::ranges::begin(a) + first, std::ranges::begin(b) + first};
}

/// Whether they have the same size and equal elements. Cost: as mismatch_on_all().
template <ranges::distributed_range A, ranges::distributed_range B,
          class Equal = std::ranges::equal_to>
[[nodiscard]] bool equal_on_all(A&& a, B&& b, const Equal& equal = {},
                                const site& where = site::current()) {
  const auto size = static_cast<std::size_t>(std::ranges::size(a));
  if (size != static_cast<std::size_t>(std::ranges::size(b))) return false;
  return detail::first_difference(a, b, equal, where) == size;
}

/// Whether no element comes before its predecessor by less(projection(a), projection(b)). Cost: 1 B
/// and 1 allreduce; R for each run of elements, l in a node.
template <ranges::distributed_range R, class Less = std::ranges::less,
          class Projection = std::identity>
  requires std::indirect_strict_weak_order<Less,
                                           std::projected<const ranges::value_of<R>*, Projection>>
[[nodiscard]] bool is_sorted_on_all(R&& range, const Less& less = {},
                                    const Projection& projection = {},
                                    const site& where = site::current()) {
  using T = ranges::value_of<R>;
  const auto size = static_cast<std::size_t>(std::ranges::size(range));
  const team& members = ranges::members(range);
  members.barrier(where);
  const detail::projected_order<Less, Projection> before{less, projection};
  bool is_sorted = true;
  // Of each run the last element, and the one that follows it elsewhere.
  constexpr std::size_t at_once = std::max<std::size_t>(1, (std::size_t{1} << 16) / sizeof(T));
  const detail::plain_buffer<T> next(at_once);
  std::vector<const T*> last;
  detail::run_reads<T> reads;
  const auto look = [&] {
    reads.finish("is_sorted");
    quiet();
    for (std::size_t i = 0; i < last.size(); ++i) {
      is_sorted = is_sorted && !before(next.span()[i], *last[i]);
    }
    last.clear();
  };
  ranges::each_own_run(range, [&](std::size_t index, auto run) {
    is_sorted = is_sorted && std::ranges::is_sorted(run, less, projection);
    const std::size_t end = index + run.size();
    if (run.empty() || end == size) return;
    const auto segment = detail::segment_at(range, end, 1);
    reads.add(segment.data(), next.span().subspan(last.size(), 1), where);
    last.push_back(&run.back());
    if (last.size() == at_once) look();
  });
  look();
  return members.allreduce(is_sorted, op::logical_and, where);
}

}  // namespace acre
