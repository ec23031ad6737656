// SPDX-License-Identifier: BSD-3-Clause
// Loops over distributed ranges: each member processes its own elements. Collective in the range's
// team. Cost: B.
//
// Complete on all members at return. Call barrier() before if other ranks have written. A member
// whose f throws throws after the barrier.
#pragma once

#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/base/site.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <concepts>
#include <cstddef>
#include <utility>

namespace acre {

/// Calls f(element) in any order; computed elements are passed by value.
template <ranges::distributed_range R, std::invocable<ranges::own_reference_of<R>> F>
void for_each(R&& range, F&& f, const site& where = site::current()) {
  view::begin_collective_call("for_each", where, range);
  algorithm::then_barrier(ranges::members(range), where, [&] {
    ranges::each_own(range, [&](auto elements) {
      for (auto&& element : elements) f(std::forward<decltype(element)>(element));
    });
  });
}

/// Calls f(index in the range, element).
template <ranges::distributed_range R, std::invocable<std::size_t, ranges::own_reference_of<R>> F>
void for_each_with_index(R&& range, F&& f, const site& where = site::current()) {
  view::begin_collective_call("for_each_with_index", where, range);
  algorithm::then_barrier(ranges::members(range), where, [&] {
    ranges::each_own_run(range, [&](std::size_t index, auto elements) {
      for (auto&& element : elements) f(index++, std::forward<decltype(element)>(element));
    });
  });
}

/// Sets all elements to `value`.
template <ranges::writable_range R>
void fill(R&& range, const ranges::value_of<R>& value, const site& where = site::current()) {
  view::begin_collective_call("fill", where, {view::common_argument::of_value("the value", value)},
                              range);
  algorithm::then_barrier(ranges::members(range), where, [&] {
    ranges::each_own(range, [&](auto elements) {
      for (auto& element : elements) element = value;
    });
  });
}

/// Sets each element to f(), in any order.
template <ranges::writable_range R, class F>
  requires algorithm::takes_maker<R, F>
void generate(R&& range, F&& f, const site& where = site::current()) {
  for_each(range, [&](ranges::value_of<R>& element) { element = f(); }, where);
}

/// Sets each element to f(index in the range).
template <ranges::writable_range R, class F>
  requires algorithm::takes_indexed_maker<R, F>
void generate_with_index(R&& range, F&& f, const site& where = site::current()) {
  for_each_with_index(
      range, [&](std::size_t index, ranges::value_of<R>& element) { element = f(index); }, where);
}

}  // namespace acre
