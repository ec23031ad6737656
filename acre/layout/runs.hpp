// SPDX-License-Identifier: BSD-3-Clause
// Visits a member's runs, contiguous in index and memory.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/layout/box.hpp>
#include <acre/layout/pattern.hpp>
#include <acre/layout/segments.hpp>

#include <concepts>
#include <cstddef>

namespace acre::layout {

/// Calls f(number, segment) for each row of a piece if its elements are contiguous in memory, else
/// for each element.
/// @param numbers  number_of(coordinates) returns an element's number
template <class Numbers, class Piece, class F>
constexpr void each_row(const Numbers& numbers, const Piece& rows, F&& f) {
  constexpr std::size_t dimensions = Piece::dimensions;
  if (rows.where.empty()) return;
  box<dimensions> firsts = rows.where;
  const std::size_t length = rows.strides[dimensions - 1] == 1 ? firsts.extents[dimensions - 1] : 1;
  firsts.extents[dimensions - 1] /= length;
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    coordinates<dimensions> at = row_major::at<dimensions>(i, firsts.extents);
    std::size_t offset = rows.offset;
    for (std::size_t d = 0; d < dimensions; ++d) {
      offset += at[d] * rows.strides[d];
      at[d] += rows.where.first[d];
    }
    f(numbers.number_of(at), segment{.member = rows.member, .offset = offset, .count = length});
  }
}

/// Calls f(first index, segment) for each contiguous run of `member`.
template <pattern Pattern, std::invocable<std::size_t, segment> F>
constexpr void each_run(const Pattern& pattern, member_t member, F&& f) {
  if constexpr (is_dense<Pattern>) {
    const std::size_t size = pattern.local_size(member);
    for (std::size_t offset = 0; offset < size;) {
      const std::size_t index = pattern.index_of({.member = member, .offset = offset});
      const std::size_t count = pattern.run_length(index);
      f(index, segment{.member = member, .offset = offset, .count = count});
      offset += count;
    }
  } else {
    for (std::size_t number = 0; number < pattern.slots(); ++number) {
      const auto block = pattern.block_at({.member = member, .number = number});
      if (block) each_row(pattern, pattern.block(*block), f);
    }
  }
}

/// As above, for elements `first` to `last` - 1. Cost: if is_ascending, a bisection and the runs;
/// else a walk over all segments of the range or, if it exceeds local_capacity(), the member's
/// runs.
template <pattern Pattern, std::invocable<std::size_t, segment> F>
constexpr void each_run(const Pattern& pattern, member_t member, std::size_t first,
                        std::size_t last, F&& f) {
  if (first == 0 && last == pattern.size()) {
    each_run(pattern, member, f);
  } else if constexpr (is_ascending<Pattern>) {
    const std::size_t size = pattern.local_size(member);
    const auto index_of = [&](std::size_t offset) {
      return pattern.index_of({.member = member, .offset = offset});
    };
    std::size_t offset = 0;
    for (std::size_t end = size; offset < end;) {
      const std::size_t middle = offset + (end - offset) / 2;
      if (index_of(middle) < first) {
        offset = middle + 1;
      } else {
        end = middle;
      }
    }
    while (offset < size) {
      const std::size_t index = index_of(offset);
      if (index >= last) break;
      const std::size_t count = smaller(pattern.run_length(index), last - index);
      f(index, segment{.member = member, .offset = offset, .count = count});
      offset += count;
    }
  } else if (last - first < pattern.local_capacity()) {
    const segments<Pattern> all(pattern, first, last);
    for (auto at = all.begin(); at != all.end(); ++at) {
      if ((*at).member == member) f(at.index(), *at);
    }
  } else {
    each_run(pattern, member, [&](std::size_t index, const segment& run) {
      const std::size_t from = larger(index, first);
      const std::size_t to = smaller(index + run.count, last);
      if (from >= to) return;
      f(from, segment{.member = member, .offset = run.offset + (from - index), .count = to - from});
    });
  }
}

}  // namespace acre::layout
