// SPDX-License-Identifier: BSD-3-Clause
// Parts of a matrix relative to other parts: shifted by elements, or the neighbours of a block.
//
//     auto mine = m.local_block(0);
//     auto west = acre::neighbour(mine, {0, -1});   // the block to the left; periodic
//     auto here = acre::shift(mine, {0, -1});       // one column to the left; not periodic
#pragma once

#include <acre/array/matrix.hpp>
#include <acre/array/matrix_blocks.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/base/site.hpp>
#include <acre/layout/box.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

namespace acre {

namespace arrays {

template <std::size_t N>
using steps = std::array<std::ptrdiff_t, N>;

[[noreturn]] void throw_shifted_outside(std::span<const std::size_t> first,
                                        std::span<const std::ptrdiff_t> steps,
                                        std::span<const std::size_t> of, const site& where);

}  // namespace arrays

/// The part of equal extents whose elements are `steps` away, not periodically.
/// @throws acre::error if it exceeds the matrix
template <class T, std::size_t N, class Pattern>
[[nodiscard]] matrix_view<T, N, Pattern> shift(const matrix_view<T, N, Pattern>& of,
                                               const std::type_identity_t<arrays::steps<N>>& steps,
                                               const site& where = site::current()) {
  layout::box<N> part = of.part();
  for (std::size_t d = 0; d < N; ++d) part.first[d] += static_cast<std::size_t>(steps[d]);
  const layout::coordinates<N> all = of.base().extents();
  if (!layout::box<N>{.extents = all}.contains(part)) [[unlikely]] {
    arrays::throw_shifted_outside(of.part().first, steps, all, where);
  }
  return {of.base(), part, where};
}
/// As above, in dimension D only.
template <std::size_t D, class T, std::size_t N, class Pattern>
  requires(D < N)
[[nodiscard]] matrix_view<T, N, Pattern> shift(const matrix_view<T, N, Pattern>& of,
                                               std::ptrdiff_t steps,
                                               const site& where = site::current()) {
  arrays::steps<N> all{};
  all[D] = steps;
  return shift(of, all, where);
}

/// The block `steps` blocks away, periodically, of any owner.
template <class T, std::size_t N, class Pattern>
[[nodiscard]] matrix_block<T, N, Pattern> neighbour(
    const matrix_block<T, N, Pattern>& of, const std::type_identity_t<arrays::steps<N>>& steps) {
  layout::coordinates<N> number = of.number();
  for (std::size_t d = 0; d < N; ++d) {
    const auto all = static_cast<std::ptrdiff_t>(of.base().pattern().blocks()[d]);
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(number[d]) + steps[d] % all;
    number[d] = static_cast<std::size_t>((at + all) % all);
  }
  return {of.base(), number};
}

}  // namespace acre
