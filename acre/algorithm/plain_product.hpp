// Products of boxes of plain memory: what each member does in multiply.hpp where no BLAS is asked
// for.
#pragma once

#include <acre/algorithm/detail/local_product.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/box_span.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace acre {

/// c = alpha a b + beta c, or c += a b, for elements that have + and *, at any strides. A tile of b
/// is copied to where it lies in one piece in the cache, and four rows of c are worked on at once:
/// the innermost loop vectorises. It has a fifth of the speed of a good BLAS.
struct plain_product {
  template <class T>
  void operator()(const box_span<const T, 2>& a, const box_span<const T, 2>& b,
                  const box_span<T, 2>& c) const {
    (*this)(T(1), a, b, T(1), c);
  }
  template <class T>
  void operator()(const T& alpha, const box_span<const T, 2>& a, const box_span<const T, 2>& b,
                  const T& beta, const box_span<T, 2>& c) const {
    detail::scale(c, beta);
    if (c.stride(1) > c.stride(0)) {
      product(alpha, detail::turned(b), detail::turned(a), detail::turned(c));
    } else {
      product(alpha, a, b, c);
    }
  }

 private:
  static constexpr std::size_t depth = 32;
  static constexpr std::size_t width = 128;
  static constexpr std::size_t rows = 4;

  template <class T>
  static void product(const T& alpha, const box_span<const T, 2>& a, const box_span<const T, 2>& b,
                      const box_span<T, 2>& c) {
    std::array<T, depth * width> tile;
    for (std::size_t k = 0; k < b.extent(0); k += depth) {
      const std::size_t ks = std::min(depth, b.extent(0) - k);
      for (std::size_t j = 0; j < b.extent(1); j += width) {
        const std::size_t js = std::min(width, b.extent(1) - j);
        for (std::size_t p = 0; p < ks; ++p) {
          for (std::size_t q = 0; q < js; ++q) tile[p * width + q] = alpha * b(k + p, j + q);
        }
        for (std::size_t i = 0; i < a.extent(0); i += rows) {
          const std::size_t is = std::min(rows, a.extent(0) - i);
          const layout::box<2> of_a{.first = {i, k}, .extents = {is, ks}};
          const layout::box<2> of_c{.first = {i, j}, .extents = {is, js}};
          some_rows(a.sub(of_a), tile, c.sub(of_c));
        }
      }
    }
  }
  template <class T>
  static void some_rows(const box_span<const T, 2>& a, const std::array<T, depth * width>& tile,
                        const box_span<T, 2>& c) {
    if (c.stride(1) != 1 || a.extent(0) < rows) {
      for (std::size_t i = 0; i < c.extent(0); ++i) one_row(a, tile, c, i);
      return;
    }
    std::array<std::array<T, width>, rows> sums{};
    for (std::size_t p = 0; p < a.extent(1); ++p) {
      const T* const line = tile.data() + p * width;
      const std::array<T, rows> factors{a(0U, p), a(1U, p), a(2U, p), a(3U, p)};
      for (std::size_t q = 0; q < width; ++q) {
        for (std::size_t i = 0; i < rows; ++i) sums[i][q] += factors[i] * line[q];
      }
    }
    for (std::size_t i = 0; i < rows; ++i) {
      T* const row = c.data() + i * c.stride(0);
      for (std::size_t q = 0; q < c.extent(1); ++q) row[q] += sums[i][q];
    }
  }
  template <class T>
  static void one_row(const box_span<const T, 2>& a, const std::array<T, depth * width>& tile,
                      const box_span<T, 2>& c, std::size_t i) {
    for (std::size_t p = 0; p < a.extent(1); ++p) {
      for (std::size_t q = 0; q < c.extent(1); ++q) c(i, q) += a(i, p) * tile[p * width + q];
    }
  }
};

}  // namespace acre
