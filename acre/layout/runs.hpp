// The runs of one member: its elements, in pieces that follow each other in index and in memory.
#pragma once

#include <acre/layout/box.hpp>
#include <acre/layout/pattern.hpp>
#include <acre/layout/segments.hpp>

#include <concepts>
#include <cstddef>

namespace acre::layout {

namespace detail {

/// A block's rows; its single elements where rows do not lie in one piece.
template <class Pattern, class Block, class F>
constexpr void each_row(const Pattern& pattern, const Block& block, F& f) {
  constexpr std::size_t N = Pattern::dimensions;
  if (block.where.empty()) return;
  box<N> firsts = block.where;
  const std::size_t length = block.strides[N - 1] == 1 ? firsts.extents[N - 1] : 1;
  firsts.extents[N - 1] /= length;
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    coordinates<N> at = row_major::at<N>(i, firsts.extents);
    std::size_t offset = block.offset;
    for (std::size_t d = 0; d < N; ++d) {
      offset += at[d] * block.strides[d];
      at[d] += block.where.first[d];
    }
    f(pattern.number_of(at), segment{.member = block.member, .offset = offset, .count = length});
  }
}

}  // namespace detail

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
      if (block) detail::each_row(pattern, pattern.block(*block), f);
    }
  }
}

}  // namespace acre::layout
