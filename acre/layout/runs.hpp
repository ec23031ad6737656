// The runs of one member: its elements, in pieces that follow each other in index and in memory.
#pragma once

#include <acre/layout/box.hpp>
#include <acre/layout/pattern.hpp>
#include <acre/layout/segments.hpp>

#include <concepts>
#include <cstddef>

namespace acre::layout {

/// f(number, segment) of each row of a piece, or of each element where those of a row do not lie
/// side by side: the number of its first element, and where it lies.
/// @param numbers  number_of(coordinates) says the number of an element
template <class Numbers, class Piece, class F>
constexpr void each_row(const Numbers& numbers, const Piece& rows, F&& f) {
  constexpr std::size_t N = Piece::dimensions;
  if (rows.where.empty()) return;
  box<N> firsts = rows.where;
  const std::size_t length = rows.strides[N - 1] == 1 ? firsts.extents[N - 1] : 1;
  firsts.extents[N - 1] /= length;
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    coordinates<N> at = row_major::at<N>(i, firsts.extents);
    std::size_t offset = rows.offset;
    for (std::size_t d = 0; d < N; ++d) {
      offset += at[d] * rows.strides[d];
      at[d] += rows.where.first[d];
    }
    f(numbers.number_of(at), segment{.member = rows.member, .offset = offset, .count = length});
  }
}

/// f(index, segment) of each run of the member's: the index of its first element, and where it
/// lies.
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

}  // namespace acre::layout
