// SPDX-License-Identifier: BSD-3-Clause
// Prefix sums, in place or to another range; collective in the range's team. The operation must be
// associative; it need not commute.
//
//     acre::exclusive_scan(a, b, 0);                    // b[i] = a[0] + … + a[i-1]
#pragma once

#include <acre/algorithm/detail/overlap.hpp>
#include <acre/algorithm/detail/range_blocks.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/algorithm/transform.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace acre {

namespace algorithm {

[[nodiscard]] std::vector<rank_t> members_before(const range_blocks& blocks, rank_t me);

[[nodiscard]] bool are_spread_alike(const range_blocks& a, const range_blocks& b);

template <class T, class Operation>
[[nodiscard]] possible<T> combination_before(const range_blocks& blocks, rank_t me,
                                             const std::vector<possible<T>>& totals,
                                             const Operation& operation) {
  possible<T> before;
  for (const rank_t member : members_before(blocks, me)) {
    combine_into(before, totals[member].value, operation);
  }
  return before;
}

/// @param write  write(from, to, before); `before` combines elements of earlier members
template <class T, class From, class Operation, class Write>
void scan_blocks(const team& members, const range_blocks& blocks, std::span<const From> from,
                 std::span<T> to, const Operation& operation, const site& where, Write&& write) {
  possible<T> mine;
  global::succeed_together(members, "scan", where, [&] {
    if (from.empty()) return;
    T sum = static_cast<T>(from.front());
    for (const From& each : from.subspan(1))
      sum = static_cast<T>(operation(sum, static_cast<T>(each)));
    mine = {sum, true};
  });
  const std::vector<possible<T>> totals = members.allgather(mine, where);
  then_barrier(members, where, [&] {
    write(from, to, combination_before(blocks, members.rank(), totals, operation));
  });
}

template <class R, class Operation, class Write>
void scan(R& range, const Operation& operation, const view::common_argument& initial,
          const site& where, Write&& write) {
  using T = ranges::value_of<R>;
  const team& members = ranges::members(range);
  view::begin_collective_call("scan", where, {{"the operation", typeid(Operation)}, initial},
                              range);
  in_blocks(range, "scan", where, [&](const range_blocks& blocks) {
    const std::span<T> own = blocks[members.rank()].template local<T>();
    scan_blocks(members, blocks, std::span<const T>(own), own, operation, where, write);
  });
}

template <class From, class To, class Operation, class Write>
void scan(From& from, To& to, const Operation& operation, const view::common_argument& initial,
          const site& where, Write&& write) {
  view::begin_collective_call("scan", where, {{"the operation", typeid(Operation)}, initial}, to,
                              from);
  require_equal_sizes("scan", std::ranges::size(from), std::ranges::size(to), where);
  const team& members = ranges::members(to);
  if constexpr (ranges::memory_range<From>) {
    if (ranges::members(from) == members && overlap_of(from, to) != view::overlap::other) {
      members.barrier(where);  // completes earlier writes
      const range_blocks there = blocks_of(from, where);
      const range_blocks here = blocks_of(to, where);
      if (are_spread_alike(there, here)) {
        const rank_t me = members.rank();
        scan_blocks(members, here, there[me].template local<const ranges::value_of<From>>(),
                    here[me].template local<ranges::value_of<To>>(), operation, where, write);
        return;
      }
    }
  }
  acre::transform(from, to, std::identity(), where);
  scan(to, operation, initial, where, write);
}

[[nodiscard]] inline view::common_argument no_initial_value() noexcept {
  return {"the initial value", std::string_view("none")};
}
template <class T>
[[nodiscard]] view::common_argument as_argument(const T& initial) noexcept {
  return view::common_argument::of_value("the initial value", initial);
}

template <class Operation>
[[nodiscard]] auto writes_inclusive(const Operation& operation) {
  return [&operation]<class T>(auto from, std::span<T> to, const possible<T>& before) {
    if (to.empty()) return;
    const T first = static_cast<T>(from.front());
    T sum = before.is_there ? static_cast<T>(operation(before.value, first)) : first;
    to.front() = sum;
    for (std::size_t i = 1; i < to.size(); ++i) {
      sum = static_cast<T>(operation(sum, static_cast<T>(from[i])));
      to[i] = sum;
    }
  };
}
template <class T, class Operation>
[[nodiscard]] auto writes_exclusive(const T& initial, const Operation& operation) {
  return [&](auto from, std::span<T> to, const possible<T>& before) {
    T sum = with_initial(initial, before, operation);
    for (std::size_t i = 0; i < to.size(); ++i) {
      const T next = static_cast<T>(operation(sum, static_cast<T>(from[i])));
      to[i] = sum;
      sum = next;
    }
  };
}

}  // namespace algorithm

/// Element i becomes the combination of elements 0 … i. Cost: 2 B, 1 allreduce and 2 allgathers. If
/// a member owns several contiguous runs: also 1 B, 1 allreduce, 1 allgather, memory in the
/// segment, R and W per run.
template <ranges::memory_range R, operation_on<ranges::value_of<R>> Operation = op::addition>
  requires ranges::writable_range<R>
void inclusive_scan(R&& range, const Operation& operation = {},
                    const site& where = site::current()) {
  algorithm::scan(range, operation, algorithm::no_initial_value(), where,
                  algorithm::writes_inclusive(operation));
}
/// to[i] becomes the combination of from[0] … from[i]. Copies `from` to `to` first, by transform(),
/// if distributed differently or sharing elements at different positions. Cost: as above and 1
/// allgather; with a copy, also transform().
/// @throws acre::error if sizes differ
template <ranges::distributed_range From, ranges::memory_range To,
          operation_on<ranges::value_of<To>> Operation = op::addition>
  requires ranges::writable_range<To>
void inclusive_scan(From&& from, To&& to, const Operation& operation = {},
                    const site& where = site::current()) {
  algorithm::scan(from, to, operation, algorithm::no_initial_value(), where,
                  algorithm::writes_inclusive(operation));
}

/// Element i becomes the combination of `initial` and elements 0 … i - 1. Cost: as
/// inclusive_scan().
template <ranges::memory_range R, operation_on<ranges::value_of<R>> Operation = op::addition>
  requires ranges::writable_range<R>
void exclusive_scan(R&& range, const std::type_identity_t<ranges::value_of<R>>& initial = {},
                    const Operation& operation = {}, const site& where = site::current()) {
  algorithm::scan(range, operation, algorithm::as_argument(initial), where,
                  algorithm::writes_exclusive(initial, operation));
}
template <ranges::distributed_range From, ranges::memory_range To,
          operation_on<ranges::value_of<To>> Operation = op::addition>
  requires ranges::writable_range<To>
void exclusive_scan(From&& from, To&& to,
                    const std::type_identity_t<ranges::value_of<To>>& initial = {},
                    const Operation& operation = {}, const site& where = site::current()) {
  algorithm::scan(from, to, operation, algorithm::as_argument(initial), where,
                  algorithm::writes_exclusive(initial, operation));
}

}  // namespace acre
