// SPDX-License-Identifier: BSD-3-Clause
// Segments of a range between two indices, their reads and writes.
#pragma once

#include <acre/algorithm/detail/run_transfer.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <cstddef>
#include <ranges>
#include <span>

namespace acre::algorithm {

template <ranges::distributed_range R, class F>
void each_segment(R& range, std::size_t first, std::size_t count, F&& f) {
  if (count == 0) return;
  const auto begin = std::ranges::begin(range) + static_cast<std::ptrdiff_t>(first);
  if constexpr (requires { begin.segments(count); }) {
    for (const auto& segment : begin.segments(count)) f(segment);
  } else {
    std::size_t index = 0;
    for (const auto& segment : ranges::segments(range)) {
      const std::size_t from = larger(index, first);
      const std::size_t to = smaller(index + segment.size(), first + count);
      if (from < to) f(view::slice(segment, from - index, to - from));
      index += segment.size();
    }
  }
}

template <ranges::distributed_range R>
[[nodiscard]] auto segment_at(R& range, std::size_t first, std::size_t count) {
  const auto begin = std::ranges::begin(range) + static_cast<std::ptrdiff_t>(first);
  if constexpr (requires { begin.segments(count); }) {
    const auto segments = begin.segments(count);
    return *std::ranges::begin(segments);
  } else {
    std::ranges::range_value_t<decltype(ranges::segments(range))> found;
    each_segment(range, first, count, [&](const auto& segment) {
      if (found.empty()) found = segment;
    });
    return found;
  }
}

template <ranges::distributed_range R, class T>
void read_segments(R& range, std::size_t first, std::span<T> to, run_reads<T>& reads,
                   const site& where) {
  each_segment(range, first, to.size(), [&](const auto& segment) {
    reads.add(segment.data(), to.first(segment.size()), where);
    to = to.subspan(segment.size());
  });
}

template <class T, ranges::distributed_range R>
void write_segments(std::span<const T> from, R& range, std::size_t first, run_writes<T>& writes,
                    const site& where) {
  each_segment(range, first, from.size(), [&](const auto& segment) {
    writes.add(segment.data(), from.first(segment.size()), where);
    from = from.subspan(segment.size());
  });
}

}  // namespace acre::algorithm
