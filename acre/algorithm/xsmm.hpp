// SPDX-License-Identifier: BSD-3-Clause
// Local products of float and double by LIBXSMM; other types and small boxes by BLAS. Requires
// libxsmm.h and cblas.h (Debian: libxsmm-dev, libopenblas-dev, -lxsmm -lopenblas).
#pragma once

#include <acre/algorithm/blas.hpp>
#include <acre/algorithm/detail/local_product.hpp>
#include <acre/algorithm/in_threads.hpp>
#include <acre/algorithm/packed_pieces.hpp>
#include <acre/algorithm/packed_product.hpp>
#include <acre/algorithm/threads_of_product.hpp>
#include <acre/algorithm/xsmm_kernel.hpp>
#include <acre/view/box_span.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace acre {

namespace algorithm {

template <xsmm_element T>
class xsmm_kernel {
 public:
  xsmm_kernel() = default;
  xsmm_kernel(std::uint32_t rows, std::uint32_t columns, std::uint32_t inner)
      : code_(make_xsmm_code<T>(rows, columns, inner)) {}

  void operator()(const T* a, const T* b, T* c, const T* later_a, const T* later_b) const {
    code_(a, b, c, later_a, later_b, c);
  }

 private:
  xsmm_code<T> code_ = nullptr;
};

template <class T>
void pack(const box_span<const T, 2>& box, const piece_grid<T>& grid) {
  if (box.stride(0) == 1) {
    grid.each_segment([&](std::size_t row, std::size_t column, T* to, std::size_t count) {
      std::memcpy(to, &box(row, column), count * sizeof(T));
    });
    return;
  }
  grid.each_piece(
      [&](std::size_t row, std::size_t column, T* to, std::size_t rows, std::size_t columns) {
        for (std::size_t i = 0; i < rows; ++i) {
          const T* const from = &box(row + i, column);
          for (std::size_t j = 0; j < columns; ++j) to[j * rows + i] = from[j * box.stride(1)];
        }
      });
}

template <class T>
void unpack(const piece_grid<T>& sums, const T& alpha, const T& beta, const box_span<T, 2>& c) {
  sums.each_segment([&](std::size_t row, std::size_t column, const T* from, std::size_t count) {
    T* const to = &c(row, column);
    const std::size_t step = c.stride(0);
    if (beta == T(0)) {
      if (alpha == T(1) && step == 1) {
        std::memcpy(to, from, count * sizeof(T));
      } else {
        for (std::size_t i = 0; i < count; ++i) to[i * step] = alpha * from[i];
      }
    } else {
      for (std::size_t i = 0; i < count; ++i) to[i * step] = alpha * from[i] + beta * to[i * step];
    }
  });
}

}  // namespace algorithm

/// Local product c = alpha a b + beta c, or c += a b, of boxes with one contiguous dimension, by
/// several threads. Small boxes use BLAS; its threads: blas_threads(). Memory: at most 256 MiB, or
/// 64 MiB per thread if larger.
class xsmm_product {
 public:
  /// One thread per core of this rank, or as set for OpenMP or OpenBLAS.
  xsmm_product() : xsmm_product(usual_threads()) {}
  explicit xsmm_product(unsigned threads) : threads_(std::max(1U, threads)) {}

  template <blas_element T>
  void operator()(const box_span<const T, 2>& a, const box_span<const T, 2>& b,
                  const box_span<T, 2>& c) const {
    (*this)(T(1), a, b, T(1), c);
  }
  template <blas_element T>
  void operator()(const T& alpha, const box_span<const T, 2>& a, const box_span<const T, 2>& b,
                  const T& beta, const box_span<T, 2>& c) const {
    if (alpha == T(0)) return algorithm::scale(c, beta);
    if constexpr (algorithm::xsmm_element<T>) {
      const std::size_t least = std::min({c.extent(0), c.extent(1), a.extent(1)});
      if (least >= least_extent && has_kernels<T>()) {
        // Computes c by columns; if c is row-major, transposes the product.
        return c.stride(0) <= c.stride(1)
                   ? in_parts(alpha, a, b, beta, c)
                   : in_parts(alpha, algorithm::turned(b), algorithm::turned(a), beta,
                              algorithm::turned(c));
      }
    }
    blas_product()(alpha, a, b, beta, c);
  }

 private:
  /// Below these extents, packing costs more than it saves.
  static constexpr std::size_t least_extent = 2 * algorithm::piece_cut::side;

  /// True if LIBXSMM supports this processor.
  template <class T>
  [[nodiscard]] static bool has_kernels() {
    constexpr auto side = static_cast<std::uint32_t>(algorithm::piece_cut::side);
    static const bool has = algorithm::make_xsmm_code<T>(side, side, side) != nullptr;
    return has;
  }
  [[nodiscard]] static unsigned usual_threads() noexcept {
    return algorithm::threads_or_cores(algorithm::threads_of_environment());
  }

  template <class T>
  void in_parts(const T& alpha, const box_span<const T, 2>& a, const box_span<const T, 2>& b,
                const T& beta, const box_span<T, 2>& c) const {
    const std::array<unsigned, 2> parts =
        algorithm::parts_of_product(c.extent(0), c.extent(1), threads_);
    const std::size_t memory = algorithm::memory_of_thread(parts[0] * parts[1]);
    const algorithm::piece_cut of_rows(c.extent(0));
    const algorithm::piece_cut of_columns(c.extent(1));
    algorithm::in_threads(parts[0] * parts[1], [&](unsigned part) {
      const auto rows = algorithm::share_of_pieces(of_rows, parts[0], part % parts[0]);
      const auto columns = algorithm::share_of_pieces(of_columns, parts[1], part / parts[0]);
      const std::size_t height = rows.end() - rows.begin();
      const std::size_t width = columns.end() - columns.begin();
      product<T>(alpha, {&a(rows.begin(), 0), {height, a.extent(1)}, a.strides()},
                 {&b(0, columns.begin()), {b.extent(0), width}, b.strides()}, beta,
                 {&c(rows.begin(), columns.begin()), {height, width}, c.strides()}, memory);
    });
  }

  template <class T>
  static void product(const T& alpha, const box_span<const T, 2>& a, const box_span<const T, 2>& b,
                      const T& beta, const box_span<T, 2>& c, std::size_t memory) {
    using grid = algorithm::piece_grid<T>;
    algorithm::packed_product<T, algorithm::xsmm_kernel<T>> made(c.extent(0), c.extent(1),
                                                                 a.extent(1));
    made.run([&](const grid& to) { algorithm::pack(a, to); },
             [&](const grid& to) { algorithm::pack(b, to); },
             [&](const grid& sums, const algorithm::inner_turn&) {
               std::fill_n(sums.memory(), sums.size(), T(0));
             },
             [&](const grid& sums, const algorithm::inner_turn& turn) {
               algorithm::unpack(sums, alpha, turn.is_first ? beta : T(1), c);
             },
             memory);
  }

  unsigned threads_;
};

}  // namespace acre
