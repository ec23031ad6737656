// SPDX-License-Identifier: BSD-3-Clause
// Sorts distributed ranges. Collective in the range's team. Members sort their own elements,
// determine which elements they receive (detail/exact_split.hpp), read these and merge.
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

template <class T>
class runs_to_merge {
 public:
  /// Reads a part of each member's run; no run may change until all have read.
  /// @param parts  of the runs in `blocks`
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
  bool merges_in_place_ = false;
  bool is_kept_first_ = false;
  base::plain_buffer<T> read_;
  std::vector<std::size_t> ends_;
};

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

/// Sorts by less(projection(a), projection(b)). Cost: local std::sort and merges; 2 B, 2
/// allreduces, 1 allgather, 1 alltoall, and O(log size) rounds with one of each; R per other
/// member. Memory: at most a copy of own elements. If a member has several contiguous runs (cyclic
/// patterns): also size / members elements in the segment, 1 B, 1 allgather, 1 allreduce, R and W
/// per run.
/// @throws acre::error on all members if one lacks memory or `less` is inconsistent; the exception
/// of `less`, acre::error on others; elements may then be duplicated or lost
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

/// As sort(), but stable. Local merge sorts use a copy of own elements.
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
