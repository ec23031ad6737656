// SPDX-License-Identifier: BSD-3-Clause
// Splits a box into pieces: its intersections with blocks.
#pragma once

#include <acre/layout/box.hpp>
#include <acre/layout/composed.hpp>

#include <concepts>
#include <cstddef>

namespace acre::layout {

template <std::size_t N>
[[nodiscard]] constexpr piece<N> piece_within(piece<N> block, const box<N>& part) noexcept {
  const box<N> common = intersection(block.where, part);
  if (!common.empty()) {
    for (std::size_t d = 0; d < N; ++d) {
      block.offset += (common.first[d] - block.where.first[d]) * block.strides[d];
    }
  }
  block.where = common;
  return block;
}

/// Calls f(piece) for each block that intersects `part`.
/// @param part  within the extents
template <class Pattern, std::invocable<piece<Pattern::dimensions>> F>
constexpr void each_piece(const Pattern& pattern, const box<Pattern::dimensions>& part, F&& f) {
  constexpr std::size_t dimensions = Pattern::dimensions;
  if (part.empty()) return;
  coordinates<dimensions> last = part.first;
  for (std::size_t d = 0; d < dimensions; ++d) last[d] += part.extents[d] - 1;
  box<dimensions> blocks{.first = pattern.block_of(part.first)};
  const coordinates<dimensions> last_block = pattern.block_of(last);
  for (std::size_t d = 0; d < dimensions; ++d)
    blocks.extents[d] = last_block[d] - blocks.first[d] + 1;
  for (std::size_t number = 0; number < blocks.size(); ++number) {
    coordinates<dimensions> block = row_major::at<dimensions>(number, blocks.extents);
    for (std::size_t d = 0; d < dimensions; ++d) block[d] += blocks.first[d];
    const piece<dimensions> found = piece_within(pattern.block(block), part);
    if (!found.where.empty()) f(found);
  }
}

/// Calls f(piece) for each block of `member` that intersects `part`.
template <class Pattern, std::invocable<piece<Pattern::dimensions>> F>
constexpr void each_piece_of(const Pattern& pattern, member_t member,
                             const box<Pattern::dimensions>& part, F&& f) {
  for (std::size_t number = 0; number < pattern.slots(); ++number) {
    const auto block = pattern.block_at({.member = member, .number = number});
    if (!block) continue;
    const auto found = piece_within(pattern.block(*block), part);
    if (!found.where.empty()) f(found);
  }
}

}  // namespace acre::layout
