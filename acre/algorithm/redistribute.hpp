// SPDX-License-Identifier: BSD-3-Clause
// Copies a matrix into another pattern.
#pragma once

#include <acre/algorithm/copy_box.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/base/site.hpp>

#include <cstddef>

namespace acre {

/// Returns the elements of `from` in another pattern, for its team. Collective. Cost: construction,
/// and copy().
/// @throws acre::error on all members if one lacks memory or extents differ
template <class T, std::size_t N, class Pattern, layout::pattern Other>
  requires(Other::dimensions == N)
[[nodiscard]] matrix<T, N, Other> redistribute(const matrix<T, N, Pattern>& from,
                                               const Other& pattern,
                                               const site& where = site::current()) {
  algorithm::require_equal_extents("redistribute", from.extents(), pattern.extents(), where);
  matrix<T, N, Other> to(from.members(), pattern, where);
  copy(whole(from), whole(to), where);
  return to;
}

}  // namespace acre
