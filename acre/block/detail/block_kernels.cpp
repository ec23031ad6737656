// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/block_kernels.hpp>

#include <acre/block/block_values.hpp>

#include <algorithm>
#include <complex>

#if ACRE_HAVE_XSMM
#include <acre/algorithm/blas.hpp>
#include <acre/algorithm/xsmm_kernel.hpp>
#endif

namespace acre::block_matrices {

namespace {

template <class T>
void plain(std::uint32_t rows, std::uint32_t columns, std::uint32_t inner, const T* a, const T* b,
           T* c) {
  for (std::uint32_t j = 0; j < columns; ++j, c += rows, b += inner) {
    const T* column = a;
    std::uint32_t p = 0;
    for (; p + 4 <= inner; p += 4, column += std::size_t{4} * rows) {
      const T* const second = column + rows;
      const T* const third = second + rows;
      const T* const fourth = third + rows;
      for (std::uint32_t i = 0; i < rows; ++i) {
        c[i] +=
            column[i] * b[p] + second[i] * b[p + 1] + third[i] * b[p + 2] + fourth[i] * b[p + 3];
      }
    }
    for (; p < inner; ++p, column += rows) {
      for (std::uint32_t i = 0; i < rows; ++i) c[i] += column[i] * b[p];
    }
  }
}

/// Avoids std::complex operators, which check for infinity.
template <class T>
void plain(std::uint32_t rows, std::uint32_t columns, std::uint32_t inner, const std::complex<T>* a,
           const std::complex<T>* b, std::complex<T>* c) {
  for (std::uint32_t j = 0; j < columns; ++j, c += rows, b += inner) {
    for (std::uint32_t p = 0; p < inner; ++p) {
      const T x = b[p].real();
      const T y = b[p].imag();
      const std::complex<T>* const column = a + std::size_t{p} * rows;
      for (std::uint32_t i = 0; i < rows; ++i) {
        c[i] = {c[i].real() + (column[i].real() * x - column[i].imag() * y),
                c[i].imag() + (column[i].real() * y + column[i].imag() * x)};
      }
    }
  }
}

#if ACRE_HAVE_XSMM

constexpr std::uint32_t largest_made = 128;
constexpr std::uint64_t least_for_blas = std::uint64_t{8} * 8 * 8;

#endif

}  // namespace

template <class T>
block_kernel<T>::block_kernel(std::uint32_t rows, std::uint32_t columns, std::uint32_t inner)
    : rows_(rows),
      columns_(columns),
      inner_(inner),
      operations_(operations_each<T> * rows * columns * inner) {
  constexpr std::size_t fetched_bytes = std::size_t{128} << 10;
  constexpr std::size_t most_ahead = 8;
  const std::size_t bytes = sizeof(T) * inner * (std::size_t{rows} + columns);
  ahead_ = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(fetched_bytes / std::max<std::size_t>(1, bytes), 1, most_ahead));
#if ACRE_HAVE_XSMM
  if (std::max({rows, columns, inner}) <= largest_made) {
    code_ = algorithm::make_xsmm_code<T>(rows, columns, inner);
  }
#endif
}

template <class T>
void block_kernel<T>::general(const T* a, const T* b, T* c) const {
#if ACRE_HAVE_XSMM
  if (std::uint64_t{rows_} * columns_ * inner_ >= least_for_blas) {
    const auto by_columns = [](auto* data, std::size_t rows, std::size_t columns) {
      return box_span<std::remove_pointer_t<decltype(data)>, 2>(data, {rows, columns}, {1, rows});
    };
    blas_product()(by_columns(a, rows_, inner_), by_columns(b, inner_, columns_),
                   by_columns(c, rows_, columns_));
    return;
  }
#endif
  plain(rows_, columns_, inner_, a, b, c);
}

template class block_kernel<float>;
template class block_kernel<double>;
template class block_kernel<std::complex<float>>;
template class block_kernel<std::complex<double>>;

}  // namespace acre::block_matrices
