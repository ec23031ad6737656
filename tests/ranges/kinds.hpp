// SPDX-License-Identifier: BSD-3-Clause
// Kinds of ranges. Each makes a range and a companion of equal distribution, with at least `size`
// elements.
#pragma once

#include <acre/algorithm/ranges_of_all_kinds_test.hpp>
#include <acre/array/coarray.hpp>
#include <acre/array/halo.hpp>
#include <acre/array/hosted_array.hpp>
#include <acre/array/list.hpp>
#include <acre/array/matrix.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/array/ragged_array.hpp>
#include <acre/layout/deduction.hpp>

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <utility>
#include <vector>

namespace acre::testing {

/// Calls f(range, other, writable), collectively, with zeros; `writable` writes a const range.
struct part_of_array {
  static void with(const team& members, std::size_t size, auto&& f) {
    array<int> a(members, size + 5, 0), b(members, size + 5, 0);
    auto part = a | std::views::drop(2) | std::views::take(size);
    auto other = b | std::views::drop(2) | std::views::take(size);
    f(part, other, part);
  }
};
struct const_array {
  static void with(const team& members, std::size_t size, auto&& f) {
    array<int> a(members, size, 0), b(members, size, 0);
    f(std::as_const(a), b, a);
  }
};
struct hosted {
  static void with(const team& members, std::size_t size, auto&& f) {
    const hosted_by last{members.size() - 1};
    hosted_array<int> a(members, last, size, 0), b(members, last, size, 0);
    f(a, b, a);
  }
};
/// Has segments only.
struct users_own_range {
  static void with(const team& members, std::size_t size, auto&& f) {
    array<int> a(members, size * members.size(), 0), b(members, size * members.size(), 0);
    auto range = acre::testing::users_own(a, size);
    auto other = acre::testing::users_own(b, size);
    f(range, other, range);
  }
};

template <class Pattern>
void with_matrices(const team& members, const Pattern& pattern, auto&& f) {
  auto a = make_matrix<int>(members, pattern);
  auto b = make_matrix<int>(members, pattern);
  f(a, b, a);
}

struct in_blocks {
  static void with(const team& members, std::size_t size, auto&& f) {
    matrix<int, 2> a(members, {size / 3, 4}), b(members, {size / 3, 4});
    f(a, b, a);
  }
};
struct cube {
  static void with(const team& members, std::size_t size, auto&& f) {
    matrix<int, 3> a(members, {size / 7, 3, 3}), b(members, {size / 7, 3, 3});
    f(a, b, a);
  }
};
struct cyclic {
  static void with(const team& members, std::size_t size, auto&& f) {
    with_matrices(members, make_distribution({size}, members.size(), dist::cyclic), f);
  }
};
/// Some blocks are empty.
struct ragged {
  static void with(const team& members, std::size_t size, auto&& f) {
    std::vector<std::size_t> begins(members.size() + std::size_t{1}, size);
    begins[0] = 0;
    for (rank_t i = 1; i < members.size(); ++i) begins[i] = i % 2 == 0 ? size / 3 : size / 3 * 2;
    std::ranges::sort(begins);
    with_matrices(members, make_distribution({size}, members.size(), dist::at(begins)), f);
  }
};
struct dealt {
  static void with(const team& members, std::size_t size, auto&& f) {
    with_matrices(
        members,
        make_distribution({size / 3, 5}, members.size(), dist::tile(2), dist::fixed_tile<3>), f);
  }
};
struct shifted {
  static void with(const team& members, std::size_t size, auto&& f) {
    with_matrices(members, make_pattern<use_case::transpose>({size / 3, 5}, members.size()), f);
  }
};
struct by_columns {
  static void with(const team& members, std::size_t size, auto&& f) {
    with_matrices(members, make_pattern<layout::column_major_layout>({size / 3, 5}, members.size()),
                  f);
  }
};
struct with_margins {
  static void with(const team& members, std::size_t size, auto&& f) {
    const std::size_t width = size < 12 ? 0 : 1;
    halo_matrix<int, 2> a(members, {size / 3, 4}, width), b(members, {size / 3, 4}, width);
    f(a, b, a);
  }
};
/// The first members have few elements.
struct in_list {
  static void with(const team& members, std::size_t size, auto&& f) {
    list<int> a(members), b(members);
    const std::size_t n = members.size();
    const std::size_t me = members.rank();
    for (std::size_t i = size * me * me / (n * n); i < size * (me + 1) * (me + 1) / (n * n); ++i) {
      a.push_back(0);
      b.push_back(0);
    }
    a.commit();
    b.commit();
    f(a, b, a);
  }
};
struct ragged_rows {
  static void with(const team& members, std::size_t size, auto&& f) {
    const std::vector<std::size_t> lengths{size / 3, 0, 1, size - size / 3};
    auto a = make_ragged<int>(members, lengths), b = make_ragged<int>(members, lengths);
    f(a, b, a);
  }
};
struct images {
  static void with(const team& members, std::size_t size, auto&& f) {
    coarray<int[]> a(members, size), b(members, size);
    f(a, b, a);
  }
};
struct box_of_matrix {
  static void with(const team& members, std::size_t size, auto&& f) {
    const layout::coordinates<2> extents{size / 3 + 2, 7};
    const layout::box<2> part{.first = {1, 2}, .extents = {size / 3, 4}};
    matrix<int, 2> a(members, extents), b(members, extents);
    auto range = sub(a, part), other = sub(b, part);
    f(range, other, range);
  }
};

}  // namespace acre::testing
