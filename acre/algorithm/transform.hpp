// Functions of the elements of one or two distributed ranges, written to another.
//
//     acre::transform(a, b, [](double x) { return x * x; });
//     acre::transform(a, b, c, std::plus<>());                  // c[i] = a[i] + b[i]
//
// Collective in the team of the range that is written, of which each member computes its own
// elements. Where the ranges are spread alike this is a loop over plain memory; otherwise members
// read what they lack, a bounded buffer at a time.
#pragma once

#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/detail/aligned_runs.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/base/site.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <concepts>
#include <cstddef>
#include <functional>

namespace acre {

/// to[i] = f(from[i]). The ranges are the same, or do not overlap. Cost: 2 B; R for each run of
/// elements of another node's members that are beside each other in both ranges; short ones share
/// messages.
/// @throws acre::error when their sizes differ
template <ranges::distributed_range From, ranges::writable_range To,
          std::invocable<const ranges::value_of<From>&> F>
void transform(From&& from, To&& to, F&& f, const site& where = site::current()) {
  const auto size = static_cast<std::size_t>(std::ranges::size(to));
  detail::require_equal_sizes("transform", std::ranges::size(from), size, where);
  detail::between_barriers(ranges::members(to), where, [&] {
    detail::each_aligned_run(
        to, size, where,
        [&](std::size_t, auto target, auto source) {
          const auto count = static_cast<std::ptrdiff_t>(target.size());
          const auto to_first = detail::plain_begin(target);
          const auto first = detail::plain_begin(source);
          for (std::ptrdiff_t i = 0; i < count; ++i) {
            to_first[i] = static_cast<ranges::value_of<To>>(std::invoke(f, first[i]));
          }
        },
        from);
  });
}

/// to[i] = f(left[i], right[i]). The same.
template <ranges::distributed_range Left, ranges::distributed_range Right,
          ranges::writable_range To,
          std::invocable<const ranges::value_of<Left>&, const ranges::value_of<Right>&> F>
void transform(Left&& left, Right&& right, To&& to, F&& f, const site& where = site::current()) {
  const auto size = static_cast<std::size_t>(std::ranges::size(to));
  detail::require_equal_sizes("transform", std::ranges::size(left), size, where);
  detail::require_equal_sizes("transform", std::ranges::size(right), size, where);
  detail::between_barriers(ranges::members(to), where, [&] {
    detail::each_aligned_run(
        to, size, where,
        [&](std::size_t, auto target, auto a, auto b) {
          const auto count = static_cast<std::ptrdiff_t>(target.size());
          const auto to_first = detail::plain_begin(target);
          const auto first = detail::plain_begin(a);
          const auto second = detail::plain_begin(b);
          for (std::ptrdiff_t i = 0; i < count; ++i) {
            to_first[i] = static_cast<ranges::value_of<To>>(std::invoke(f, first[i], second[i]));
          }
        },
        left, right);
  });
}

}  // namespace acre
