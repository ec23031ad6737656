// SPDX-License-Identifier: BSD-3-Clause
// Calls a local product of either kind: adding (c += a b) or scaling (c = alpha a b + beta c).
#pragma once

#include <acre/base/times.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/box_span.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

namespace acre::algorithm {

template <class F, class T>
concept adding_product = std::invocable<F&, const box_span<const T, 2>&,
                                        const box_span<const T, 2>&, const box_span<T, 2>&>;
template <class F, class T>
concept scaling_product =
    std::invocable<F&, const T&, const box_span<const T, 2>&, const box_span<const T, 2>&, const T&,
                   const box_span<T, 2>&>;

template <class T>
[[nodiscard]] box_span<T, 2> turned(const box_span<T, 2>& box) noexcept {
  return {box.data(), {box.extent(1), box.extent(0)}, {box.stride(1), box.stride(0)}};
}

/// Calls f(element) in memory order.
template <class T, class F>
void each_element(const box_span<T, 2>& of, F&& f) {
  const std::size_t line = of.stride(1) <= of.stride(0) ? 1 : 0;
  for (std::size_t i = 0; i < of.extent(1 - line); ++i) {
    T* const first = of.data() + i * of.stride(1 - line);
    for (std::size_t j = 0; j < of.extent(line); ++j) f(first[j * of.stride(line)]);
  }
}

/// c = beta c. As in BLAS, beta = 0 clears NaN.
template <class T>
void scale(const box_span<T, 2>& c, const T& beta) {
  if (beta == T(1)) return;
  if (beta == T(0)) {
    each_element(c, [](T& each) { each = T(0); });
  } else {
    each_element(c, [&](T& each) { each = base::times(beta, each); });
  }
}

template <class T>
void add_box(const box_span<T, 2>& to, const box_span<const T, 2>& from, const T& factor) {
  const std::size_t line = to.stride(1) <= to.stride(0) ? 1 : 0;
  for (std::size_t i = 0; i < to.extent(1 - line); ++i) {
    T* const target = to.data() + i * to.stride(1 - line);
    const T* const source = from.data() + i * from.stride(1 - line);
    for (std::size_t j = 0; j < to.extent(line); ++j) {
      target[j * to.stride(line)] += base::times(factor, source[j * from.stride(line)]);
    }
  }
}

template <class T, class Product>
void multiply_boxes(Product& product, const T& alpha, const box_span<const T, 2>& a,
                    const box_span<const T, 2>& b, const T& beta, const box_span<T, 2>& c) {
  if (alpha == T(0)) return scale(c, beta);
  if constexpr (scaling_product<Product, T>) {
    product(alpha, a, b, beta, c);
  } else if (alpha == T(1)) {
    scale(c, beta);
    product(a, b, c);
  } else {
    std::vector<T> elements(c.size());
    const box_span<T, 2> sums(elements.data(), c.extents());
    product(a, b, sums);
    scale(c, beta);
    add_box<T>(c, sums, alpha);
  }
}

}  // namespace acre::algorithm
