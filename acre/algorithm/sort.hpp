// SPDX-License-Identifier: BSD-3-Clause
// Sorts a distributed range.
//
//     acre::sort(a);
//     acre::sort(people | std::views::take(n), std::greater<>(), &person::age);
//     acre::stable_sort(edges, {}, &edge::from);
//
// Collective in the range's team. Afterwards the range is sorted from its first element to its
// last, and each member holds as many elements as before, in its places of the pattern. Each member
// sorts its own in plain memory; then all find out exactly which elements belong to whom, however
// many are equal; each reads what it lacks, and merges.
#pragma once

#include <acre/algorithm/detail/exact_split.hpp>
#include <acre/algorithm/detail/merge_runs.hpp>
#include <acre/algorithm/detail/projected_order.hpp>
#include <acre/algorithm/detail/range_blocks.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <typeinfo>
#include <vector>

namespace acre {

namespace algorithm {

/// A part of the runs of others and of its own: what a member's block becomes.
template <class T>
class runs_to_merge {
 public:
  /// Reads what others have of it. They must not change their runs until all have read.
  /// @param parts  of the members' runs, which lie in `blocks`
  runs_to_merge(const range_blocks& blocks, const std::vector<run_part>& parts, rank_t me,
                const site& where)
      : own_(blocks[me].local<T>()), kept_(parts[me]) {
    const std::vector<rank_t> order = in_order(blocks, parts);
    const auto mine = std::ranges::find(order, me);
    merges_in_place_ = order.size() <= 2 && mine != order.end();
    is_kept_first_ = merges_in_place_ && mine == order.begin();
    read_ = base::plain_buffer<T>(own_.size() - (merges_in_place_ ? kept_.count : 0));
    std::size_t end = 0;
    for (const rank_t member : order) {
      if (merges_in_place_ && member == me) continue;
      const auto [first, count] = parts[member];
      const std::span<T> to = read_.span().subspan(end, count);
      if (member == me) {
        base::move_elements<T>(to.data(), own_.subspan(first, count));
      } else {
        get_nbi(blocks[member].data<T>() + static_cast<std::ptrdiff_t>(first), to, where);
      }
      ends_.push_back(end += count);
    }
    quiet();
  }

  template <class Before>
  void merge(const Before& before) {
    if (!merges_in_place_) return merge_runs(ends_, read_.span(), own_, before);
    const std::span<const T> kept(own_.subspan(kept_.first, kept_.count));
    if (is_kept_first_) {
      base::move_elements(own_.data(), kept);
      merge_from_back<T>(own_.first(kept_.count), read_.span(), own_.data(), before);
    } else {
      T* const last = own_.data() + own_.size() - kept_.count;
      base::move_elements(last, kept);
      merge_from_front<T>(read_.span(), {last, kept_.count}, own_.data(), before);
    }
  }

 private:
  [[nodiscard]] static std::vector<rank_t> in_order(const range_blocks& blocks,
                                                    const std::vector<run_part>& parts) {
    std::vector<rank_t> order;
    for (rank_t member = 0; member < parts.size(); ++member) {
      if (parts[member].count != 0) order.push_back(member);
    }
    std::ranges::sort(order, {}, [&](rank_t member) { return blocks[member].first; });
    return order;
  }

  std::span<T> own_;
  run_part kept_;
  // With at most one run of others, those that stay need not be copied.
  bool merges_in_place_ = false;
  bool is_kept_first_ = false;
  base::plain_buffer<T> read_;
  std::vector<std::size_t> ends_;
};

/// @param sort_run  sorts plain memory
template <class T, class SortRun, class Less, class Projection>
void sort_blocks(const team& members, const range_blocks& blocks, const SortRun& sort_run,
                 const Less& less, const Projection& projection, const site& where) {
  const rank_t me = members.rank();
  const std::span<T> run = blocks[me].local<T>();
  global::succeed_together(members, "sort", where, [&] { sort_run(run, less, projection); });
  if (members.size() == 1) return;
  const std::vector<run_part> parts =
      exact_split<T, Less, Projection>(members, blocks, run, less, projection).find(where);
  std::optional<runs_to_merge<T>> runs;
  global::succeed_together(members, "sort", where, [&] { runs.emplace(blocks, parts, me, where); });
  then_barrier(members, where,
               [&] { runs->merge(projected_order<Less, Projection>{less, projection}); });
}

}  // namespace algorithm

/// Sorts by less(projection(a), projection(b)); of equal elements any may come first. Cost: the
/// time of std::sort of a member's elements and of merges of as many; 5 B, about a logarithm of the
/// range's size times 4 small collectives, and R for each other member. Memory: as much again as
/// the member's elements, or less. Where a member's elements lie in several pieces, as in cyclic
/// patterns, twice as much in the segment, and R and W for each run of elements.
/// @throws acre::error on all members when one has no memory, or `less` is no order; where `less`
///         throws on some, what it threw, and acre::error on the others. Elements may then be
///         there twice, or no more.
template <ranges::memory_range R, class Less = std::ranges::less, class Projection = std::identity>
  requires ranges::writable_range<R> && algorithm::takes_sorting<R, Less, Projection>
void sort(R&& range, const Less& less = {}, const Projection& projection = {},
          const site& where = site::current()) {
  view::begin_collective_call("sort", where, {{"the order", typeid(Less)}}, range);
  algorithm::in_blocks(range, "sort", where, [&](const algorithm::range_blocks& blocks) {
    algorithm::sort_blocks<ranges::value_of<R>>(ranges::members(range), blocks, std::ranges::sort,
                                                less, projection, where);
  });
}

/// The same; equal elements stay in the order in which they are. Cost: as sort(), with a merge sort
/// of each member's elements, which takes as much memory again.
template <ranges::memory_range R, class Less = std::ranges::less, class Projection = std::identity>
  requires ranges::writable_range<R> && algorithm::takes_sorting<R, Less, Projection>
void stable_sort(R&& range, const Less& less = {}, const Projection& projection = {},
                 const site& where = site::current()) {
  using T = ranges::value_of<R>;
  view::begin_collective_call("stable_sort", where, {{"the order", typeid(Less)}}, range);
  const auto sort_run = [](std::span<T> run, const Less& by, const Projection& of) {
    const base::plain_buffer<T> copy(run.size());
    base::move_elements<T>(copy.data(), run);
    algorithm::merge_sort(run, copy.span(), algorithm::projected_order<Less, Projection>{by, of});
  };
  algorithm::in_blocks(range, "stable_sort", where, [&](const algorithm::range_blocks& blocks) {
    algorithm::sort_blocks<T>(ranges::members(range), blocks, sort_run, less, projection, where);
  });
}

}  // namespace acre
