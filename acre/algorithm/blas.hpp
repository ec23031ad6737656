// SPDX-License-Identifier: BSD-3-Clause
// Local products by BLAS; requires cblas.h and a BLAS library (Debian: libopenblas-dev,
// -lopenblas).
#pragma once

#include <acre/algorithm/detail/local_product.hpp>
#include <acre/algorithm/plain_product.hpp>
#include <acre/algorithm/threads_of_product.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/box_span.hpp>

#include <algorithm>
#include <cblas.h>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <utility>

extern "C" [[gnu::weak]] void openblas_set_num_threads(int);
extern "C" [[gnu::weak]] char* openblas_get_corename();

namespace acre {

/// Sets OpenBLAS threads; no effect on other BLAS. Default: all cores of the host per rank.
inline void blas_threads(int threads) noexcept {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(threads);
}
/// Uses this rank's share of the host's cores, unless the environment sets BLAS threads.
inline void blas_threads() noexcept {
  if (algorithm::threads_of_environment() != nullptr) return;
  blas_threads(static_cast<int>(algorithm::cores_of_rank()));
}

/// Returns an advice if OpenBLAS selected kernels for an older processor, else null.
[[nodiscard]] inline const char* blas_hint() noexcept {
#if defined(__x86_64__)
  if (openblas_get_corename == nullptr || std::getenv("OPENBLAS_CORETYPE") != nullptr)
    return nullptr;
  const std::string_view taken = openblas_get_corename();
  if ((taken == "Haswell" || taken == "Zen") && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    return "OpenBLAS does not recognise this processor and does not use its AVX-512: set "
           "OPENBLAS_CORETYPE=SkylakeX";
  }
#endif
  return nullptr;
}

/// Element types of BLAS.
template <class T>
concept blas_element =
    std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::complex<float>> ||
    std::same_as<T, std::complex<double>>;

namespace algorithm {

template <class Function>
struct extent_of_blas;
template <class Order, class Turned, class Int, class... Others>
struct extent_of_blas<void(Order, Turned, Turned, Int, Others...)> {
  using type = Int;
};
using blas_extent = typename extent_of_blas<decltype(cblas_dgemm)>::type;

[[nodiscard]] constexpr bool fits_blas(std::size_t elements) noexcept {
  return std::in_range<blas_extent>(elements);
}

}  // namespace algorithm

/// Local product c = alpha a b + beta c, or c += a b, of boxes with one contiguous dimension.
/// Extents beyond BLAS integers: plain_product.
struct blas_product {
  template <blas_element T>
  void operator()(const box_span<const T, 2>& a, const box_span<const T, 2>& b,
                  const box_span<T, 2>& c) const {
    (*this)(T(1), a, b, T(1), c);
  }
  template <blas_element T>
  void operator()(const T& alpha, const box_span<const T, 2>& a, const box_span<const T, 2>& b,
                  const T& beta, const box_span<T, 2>& c) const {
    if (a.empty() || b.empty()) return algorithm::scale(c, beta);
    const side of_a(a);
    const side of_b(b);
    const side of_c(c);
    const std::size_t most =
        std::max({c.extent(0), c.extent(1), a.extent(1), of_a.line, of_b.line, of_c.line});
    if (!algorithm::fits_blas(most)) return plain_product()(alpha, a, b, beta, c);
    if (of_c.turned == CblasTrans) {  // column-major: the transposed product
      product<T>(of_b.other(), of_a.other(), {c.extent(1), c.extent(0)}, a.extent(1), alpha,
                 b.data(), of_b.line, a.data(), of_a.line, beta, c.data(), of_c.line);
    } else {
      product<T>(of_a.turned, of_b.turned, c.extents(), a.extent(1), alpha, a.data(), of_a.line,
                 b.data(), of_b.line, beta, c.data(), of_c.line);
    }
  }

 private:
  struct side {
    CBLAS_TRANSPOSE turned;
    std::size_t line;  ///< leading dimension

    template <class T>
    explicit side(const box_span<T, 2>& box) noexcept
        : turned(box.stride(1) <= box.stride(0) ? CblasNoTrans : CblasTrans),
          line(std::max({box.stride(0), box.stride(1), box.extent(turned == CblasTrans ? 0 : 1)})) {
    }
    [[nodiscard]] CBLAS_TRANSPOSE other() const noexcept {
      return turned == CblasTrans ? CblasNoTrans : CblasTrans;
    }
  };

  template <class T>
  static void product(CBLAS_TRANSPOSE turned_a, CBLAS_TRANSPOSE turned_b,
                      const layout::coordinates<2>& extents, std::size_t depth, const T& alpha,
                      const T* a, std::size_t line_a, const T* b, std::size_t line_b, const T& beta,
                      T* c, std::size_t line_c) {
    const auto all = [&](const auto& call, const auto& by, const auto& keep) {
      const auto as_told = [](std::size_t elements) {
        return static_cast<algorithm::blas_extent>(elements);
      };
      call(CblasRowMajor, turned_a, turned_b, as_told(extents[0]), as_told(extents[1]),
           as_told(depth), by, a, as_told(line_a), b, as_told(line_b), keep, c, as_told(line_c));
    };
    if constexpr (std::same_as<T, float>) {
      all(cblas_sgemm, alpha, beta);
    } else if constexpr (std::same_as<T, double>) {
      all(cblas_dgemm, alpha, beta);
    } else if constexpr (std::same_as<T, std::complex<float>>) {
      all(cblas_cgemm, static_cast<const void*>(&alpha), static_cast<const void*>(&beta));
    } else {
      all(cblas_zgemm, static_cast<const void*>(&alpha), static_cast<const void*>(&beta));
    }
  }
};

}  // namespace acre
