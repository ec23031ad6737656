// SPDX-License-Identifier: BSD-3-Clause
// Writes a function of one or two distributed ranges to another. Collective in the team of the
// written range.
//
//     acre::transform(a, b, c, std::plus<>());                  // c[i] = a[i] + b[i]
//
// Members read source elements of others through a bounded buffer.
#pragma once

#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/detail/aligned_runs.hpp>
#include <acre/algorithm/detail/overlap.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/algorithm/detail/write_after_reading.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/base/invoke.hpp>
#include <acre/base/site.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <concepts>
#include <cstddef>
#include <ranges>

namespace acre {

namespace algorithm {

template <class Parts, class To, class F, class... From>
void transform_runs(const Parts& each_part, To& to, F& f, const site& where, From&... from) {
  view::begin_collective_call("transform", where, to, from...);
  const auto size = static_cast<std::size_t>(std::ranges::size(to));
  (require_equal_sizes("transform", std::ranges::size(from), size, where), ...);
  const auto compute = [&](auto to_first, std::size_t count, const auto&... source) {
    each_part(count, [&f, to_first, ... firsts = view::plain_begin(source)](std::size_t first,
                                                                            std::size_t end) {
      const auto last = static_cast<std::ptrdiff_t>(end);
      for (auto i = static_cast<std::ptrdiff_t>(first); i < last; ++i) {
        to_first[i] = static_cast<ranges::value_of<To>>(base::invoke(f, firsts[i]...));
      }
    });
  };
  if (((overlap_of(from, to) == view::overlap::other) || ...)) {
    return write_after_reading("transform", to, where, compute, from...);
  }
  const auto of_run = [&](std::size_t, const auto& target, const auto&... source) {
    compute(view::plain_begin(target), static_cast<std::size_t>(std::ranges::size(target)),
            source...);
  };
  between_barriers(ranges::members(to), where,
                   [&] { each_aligned_run(to, size, where, of_run, from...); });
}

inline constexpr auto undivided = [](std::size_t size, const auto& loop) {
  loop(std::size_t{0}, size);
};

}  // namespace algorithm

/// to[i] = f(from[i]). Ranges may overlap. Cost: 2 B; R per contiguous run common to both ranges
/// and on another node; short ones share messages. If they share elements at different positions:
/// also 1 allreduce, and memory for own elements of `to`.
/// @throws acre::error if sizes differ
template <ranges::distributed_range From, ranges::writable_range To, class F>
  requires algorithm::takes_transform<From, To, F>
void transform(From&& from, To&& to, F&& f, const site& where = site::current()) {
  algorithm::transform_runs(algorithm::undivided, to, f, where, from);
}

/// to[i] = f(left[i], right[i]), as above.
template <ranges::distributed_range Left, ranges::distributed_range Right,
          ranges::writable_range To, class F>
  requires algorithm::takes_transform<Left, Right, To, F>
void transform(Left&& left, Right&& right, To&& to, F&& f, const site& where = site::current()) {
  algorithm::transform_runs(algorithm::undivided, to, f, where, left, right);
}

}  // namespace acre
