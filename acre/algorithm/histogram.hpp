// SPDX-License-Identifier: BSD-3-Clause
// Histograms of distributed ranges. Collective in the range's team; all members receive the counts.
#pragma once

#include <acre/algorithm/detail/add_on_all.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/base/invoke.hpp>
#include <acre/base/site.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <vector>

namespace acre {

namespace algorithm {

[[noreturn]] void throw_no_bins(double first, double last, const site& where);

template <class R, class F>
[[nodiscard]] std::vector<std::size_t> count_in_bins(
    R& range, std::size_t bins, const F& bin_of, std::initializer_list<view::common_argument> alike,
    const site& where) {
  const team& members = ranges::members(range);
  view::begin_collective_call("histogram_on_all", where, alike, range);
  members.barrier(where);  // completes earlier writes
  return add_on_all(members, bins, "histogram_on_all", where, [&](std::span<std::size_t> counts) {
    ranges::each_own(range, [&](auto elements) {
      for (const auto& element : elements) {
        // Negative numbers become too large for a bin.
        const auto bin = static_cast<std::size_t>(base::invoke(bin_of, element));
        if (bin < bins) ++counts[bin];
      }
    });
  });
}

}  // namespace algorithm

/// Number of elements per bin, which bin_of(element) returns: 0 … bins - 1. Others are not counted.
/// Cost: 1 B and 1 allreduce.
template <ranges::distributed_range R, class F>
  requires algorithm::takes_bins<R, std::size_t, F>
[[nodiscard]] std::vector<std::size_t> histogram_on_all(R&& range, std::size_t bins,
                                                        const F& bin_of,
                                                        const site& where = site::current()) {
  return algorithm::count_in_bins(range, bins, bin_of, {{"bins", bins}}, where);
}

/// Counts in bins of equal width in [first, last); other elements are not counted. Bounds are
/// computed in double.
/// @throws acre::error unless first < last
template <ranges::distributed_range R>
  requires std::is_arithmetic_v<ranges::value_of<R>>
[[nodiscard]] std::vector<std::size_t> histogram_on_all(
    R&& range, std::size_t bins, std::type_identity_t<ranges::value_of<R>> first,
    std::type_identity_t<ranges::value_of<R>> last, const site& where = site::current()) {
  if (!(first < last)) [[unlikely]] {
    algorithm::throw_no_bins(static_cast<double>(first), static_cast<double>(last), where);
  }
  const auto begin = static_cast<double>(first);
  const double width = static_cast<double>(last) - begin;
  const auto number = static_cast<double>(bins);
  return algorithm::count_in_bins(
      range, bins,
      [=](const ranges::value_of<R>& element) {
        if (!(first <= element && element < last)) return bins;
        const auto bin =
            static_cast<std::size_t>((static_cast<double>(element) - begin) * number / width);
        return bin < bins ? bin : bins - 1;
      },
      {{"bins", bins},
       view::common_argument::of_value("the begin of the first bin", first),
       view::common_argument::of_value("the end of the last bin", last)},
      where);
}

}  // namespace acre
