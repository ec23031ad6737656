// SPDX-License-Identifier: BSD-3-Clause
// Loops over all elements of a distributed range: each member of its team does its own.
//
//     acre::fill(a, 1.0);
//     acre::for_each(a | std::views::drop(1), [](double& x) { x *= 2; });
//     acre::for_each_with_index(a, [](std::size_t i, double& x) { x = double(i); });
//
// All are collective in the range's team; when they return, all members have done theirs. What
// others wrote before is sure to be seen only behind a barrier of one's own, for there is none
// before. Inside runs of elements the loop is one over plain memory, which compilers vectorise.
// Cost: B.
//
// A function that throws on one member ends the loop there; the others do theirs, and the exception
// leaves the call after the barrier, so nobody waits.
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

/// f(element) of each element, by the member that holds it, in any order. What is computed, as by a
/// transform view, comes as a value.
template <ranges::distributed_range R, std::invocable<ranges::own_reference_of<R>> F>
void for_each(R&& range, F&& f, const site& where = site::current()) {
  view::begin_collective_call("for_each", where, range);
  algorithm::then_barrier(ranges::members(range), where, [&] {
    ranges::each_own(range, [&](auto elements) {
      for (auto&& element : elements) f(std::forward<decltype(element)>(element));
    });
  });
}

/// f(index, element) of each element: its place in the range.
template <ranges::distributed_range R, std::invocable<std::size_t, ranges::own_reference_of<R>> F>
void for_each_with_index(R&& range, F&& f, const site& where = site::current()) {
  view::begin_collective_call("for_each_with_index", where, range);
  algorithm::then_barrier(ranges::members(range), where, [&] {
    ranges::each_own_run(range, [&](std::size_t index, auto elements) {
      for (auto&& element : elements) f(index++, std::forward<decltype(element)>(element));
    });
  });
}

/// Sets all elements to a value.
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

/// Sets each element to what f() returns, called once for each by the member that holds it, in any
/// order.
template <ranges::writable_range R, class F>
  requires algorithm::takes_maker<R, F>
void generate(R&& range, F&& f, const site& where = site::current()) {
  for_each(range, [&](ranges::value_of<R>& element) { element = f(); }, where);
}

/// Sets each element to f(index).
template <ranges::writable_range R, class F>
  requires algorithm::takes_indexed_maker<R, F>
void generate_with_index(R&& range, F&& f, const site& where = site::current()) {
  for_each_with_index(
      range, [&](std::size_t index, ranges::value_of<R>& element) { element = f(index); }, where);
}

}  // namespace acre
