// SPDX-License-Identifier: BSD-3-Clause
// Scalar products and norms of floats or doubles, in double.
//
//     const double product = acre::dot_on_all(a, b);
//     const double length = acre::norm_on_all(a, acre::op::reproducible_sum);
#pragma once

#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/norm_of_squares.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>
#include <acre/view/zipped.hpp>

#include <concepts>
#include <ranges>
#include <tuple>
#include <utility>

namespace acre {

namespace algorithm {

template <class Operation>
concept kind_of_sum = std::same_as<Operation, op::addition> || reproducible_operation<Operation>;

}  // namespace algorithm

/// Sum of a[i] * b[i]. Collective. Cost: as reduce_on_all().
/// @param sum  with op::reproducible_sum, each product and their sum are rounded once: bitwise
/// equal for any members, distribution and order; error at most 2^-53 of the sum of |a[i] * b[i]|,
/// and half a unit in the last place
/// @throws acre::error if sizes or distributions differ
template <algorithm::number_range A, algorithm::number_range B,
          algorithm::kind_of_sum Operation = op::addition>
  requires std::same_as<ranges::value_of<A>, ranges::value_of<B>> && view::viewable<A> &&
           view::viewable<B>
[[nodiscard]] ranges::value_of<A> dot_on_all(A&& a, B&& b, const Operation& sum = {},
                                             const site& where = site::current()) {
  algorithm::require_equal_sizes("dot_on_all", std::ranges::size(a), std::ranges::size(b), where);
  const auto product = [](const auto& both) {
    return static_cast<double>(std::get<0>(both)) * static_cast<double>(std::get<1>(both));
  };
  return static_cast<ranges::value_of<A>>(transform_reduce_on_all(
      views::zip(std::forward<A>(a), std::forward<B>(b)), 0.0, sum, product, where));
}

/// Square root of the sum of squares, which may overflow. Collective. Cost: as reduce_on_all();
/// three times if the sum overflows or is below 2^-918.
/// @param sum  with op::reproducible_sum, bitwise equal as dot_on_all(); relative error below
/// 2^-52, for float before rounding
template <algorithm::number_range R, algorithm::kind_of_sum Operation = op::addition>
[[nodiscard]] ranges::value_of<R> norm_on_all(R&& range, const Operation& sum = {},
                                              const site& where = site::current()) {
  using T = ranges::value_of<R>;
  const auto squares = [&](double scale) {
    const auto square = [scale](const T& x) {
      const double scaled = static_cast<double>(x) * scale;
      return scaled * scaled;
    };
    return transform_reduce_on_all(range, 0.0, sum, square, where);
  };
  const auto largest = [&] {
    return transform_reduce_on_all(
        range, 0.0, op::max, [](const T& x) { return static_cast<double>(x < 0 ? -x : x); }, where);
  };
  return static_cast<T>(algorithm::norm_of_squares(squares, largest));
}

}  // namespace acre
