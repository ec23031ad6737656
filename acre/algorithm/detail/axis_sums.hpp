// SPDX-License-Identifier: BSD-3-Clause
// Reductions of local boxes along one dimension.
#pragma once

#include <acre/algorithm/reduce.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/box_span.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace acre::algorithm {

/// Without entry D.
template <std::size_t D, std::size_t N>
[[nodiscard]] constexpr layout::coordinates<N - 1> without_axis(
    const layout::coordinates<N>& of) noexcept {
  layout::coordinates<N - 1> result{};
  for (std::size_t d = 0; d < N - 1; ++d) result[d] = of[d < D ? d : d + 1];
  return result;
}
template <std::size_t D, std::size_t N>
[[nodiscard]] constexpr layout::box<N - 1> without_axis(const layout::box<N>& of) noexcept {
  return {.first = without_axis<D>(of.first), .extents = without_axis<D>(of.extents)};
}

/// Calls f(sum, element) for each element; the last dimension is the innermost loop.
template <std::size_t D, std::size_t Level, class Sum, class T, std::size_t N, class F>
void each_with_sum(Sum* sums, const layout::coordinates<N>& sum_strides, const T* elements,
                   const layout::coordinates<N>& strides, const layout::coordinates<N>& extents,
                   const F& f) {
  const std::size_t step = strides[Level];
  const std::size_t sum_step = sum_strides[Level];
  if constexpr (Level + 1 == N && D == Level) {
    Sum sum = *sums;
    for (std::size_t i = 0; i < extents[Level]; ++i) f(sum, elements[i * step]);
    *sums = sum;
  } else if constexpr (Level + 1 == N) {
    if (step == 1) {
      for (std::size_t i = 0; i < extents[Level]; ++i) f(sums[i], elements[i]);
    } else {
      for (std::size_t i = 0; i < extents[Level]; ++i) f(sums[i], elements[i * step]);
    }
  } else {
    for (std::size_t i = 0; i < extents[Level]; ++i) {
      each_with_sum<D, Level + 1>(sums + i * sum_step, sum_strides, elements + i * step, strides,
                                  extents, f);
    }
  }
}

/// Sums of pieces with equal coordinates except in dimension D.
template <std::size_t D, class Sum, std::size_t N>
class axis_sums {
 public:
  explicit axis_sums(const layout::box<N - 1>& where) : where_(where), sums_(where.size()) {}

  [[nodiscard]] const layout::box<N - 1>& where() const noexcept { return where_; }
  [[nodiscard]] box_span<const Sum, N - 1> sums() const noexcept {
    return {sums_.data(), where_.extents};
  }

  template <class T, class Operation>
  void add(const box_span<const T, N>& piece, const Operation& operation) {
    layout::box<N> rest{.extents = piece.extents()};
    if (std::exchange(is_empty_, false)) {
      layout::box<N> first = rest;
      first.extents[D] = 1;
      rest.first[D] = 1;
      --rest.extents[D];
      each(piece.sub(first), [](Sum& sum, const T& x) { sum = static_cast<Sum>(x); });
    }
    each(piece.sub(rest), [&](Sum& sum, const T& x) {
      sum = static_cast<Sum>(operation(sum, static_cast<Sum>(x)));
    });
  }

 private:
  template <class T, class F>
  void each(const box_span<const T, N>& piece, const F& f) {
    if (piece.empty()) return;
    const auto inner = layout::row_major::strides<N - 1>(where_.extents);
    layout::coordinates<N> strides{};
    for (std::size_t d = 0; d < N; ++d) strides[d] = d == D ? 0 : inner[d < D ? d : d - 1];
    each_with_sum<D, 0>(sums_.data(), strides, piece.data(), piece.strides(), piece.extents(), f);
  }

  layout::box<N - 1> where_;
  std::vector<Sum> sums_;
  bool is_empty_ = true;
};

/// Sums of this rank's pieces of a box, in the order of the pieces.
template <std::size_t D, class Sum, class From, class Operation>
[[nodiscard]] auto own_axis_sums(const From& from, const Operation& operation) {
  using sums = axis_sums<D, Sum, From::dimensions>;
  using element = const typename From::value_type;
  std::vector<sums> all;
  from.each_own_piece(ranges::whole(from), [&](const auto& where, const auto& piece) {
    const auto projected = without_axis<D>(where);
    auto found = std::ranges::lower_bound(all, projected.first, {},
                                          [](const sums& each) { return each.where().first; });
    if (found == all.end() || found->where() != projected) found = all.emplace(found, projected);
    found->add(box_span<element, From::dimensions>(piece.local()), operation);
  });
  return all;
}

}  // namespace acre::algorithm
