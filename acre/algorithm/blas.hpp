// SPDX-License-Identifier: BSD-3-Clause
// Products of boxes of plain memory by BLAS, for multiply.hpp. Whoever includes this needs the
// header cblas.h, and links a BLAS (Debian: libopenblas-dev, -lopenblas); of Acre's
// headers xsmm.hpp does too, and no other.
//
//     acre::multiply(a, b, c, acre::blas_product());
#pragma once

#include <acre/algorithm/detail/local_product.hpp>
#include <acre/algorithm/detail/threads_of_product.hpp>
#include <acre/algorithm/plain_product.hpp>
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

// Of OpenBLAS, and of no other.
extern "C" [[gnu::weak]] void openblas_set_num_threads(int);
extern "C" [[gnu::weak]] char* openblas_get_corename();

namespace acre {

/// How many threads a product takes. Ranks that share cores take one each: a BLAS that knows
/// nothing of the others takes as many as there are cores. Where the BLAS is none of OpenBLAS it
/// has a setting of its own, as OMP_NUM_THREADS, and this does nothing.
inline void blas_threads(int threads) noexcept {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(threads);
}
/// As many as this rank has cores: those that ranks of the job may use on this host, shared evenly,
/// and at least one. A number that the environment says for the BLAS stays.
inline void blas_threads() noexcept {
  if (algorithm::threads_of_environment() != nullptr) return;
  blas_threads(static_cast<int>(algorithm::cores_of_rank()));
}

/// What would make this BLAS faster on this processor; null where nothing is known. OpenBLAS takes
/// the kernels of a processor that it knows: of one that is younger than itself, old ones.
[[nodiscard]] inline const char* blas_hint() noexcept {
#if defined(__x86_64__)
  if (openblas_get_corename == nullptr || std::getenv("OPENBLAS_CORETYPE") != nullptr)
    return nullptr;
  const std::string_view taken = openblas_get_corename();
  if ((taken == "Haswell" || taken == "Zen") && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    return "OpenBLAS does not know this processor, and leaves its AVX-512 unused: "
           "OPENBLAS_CORETYPE=SkylakeX may make it much faster";
  }
#endif
  return nullptr;
}

/// What BLAS has products of.
template <class T>
concept blas_element =
    std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::complex<float>> ||
    std::same_as<T, std::complex<double>>;

namespace algorithm {

/// The integer in which a BLAS is told extents, by one of its functions.
template <class Function>
struct extent_of_blas;
template <class Order, class Turned, class Int, class... Others>
struct extent_of_blas<void(Order, Turned, Turned, Int, Others...)> {
  using type = Int;
};
using blas_extent = typename extent_of_blas<decltype(cblas_dgemm)>::type;

/// Whether a BLAS can be told a number of elements.
[[nodiscard]] constexpr bool fits_blas(std::size_t elements) noexcept {
  return std::in_range<blas_extent>(elements);
}

}  // namespace algorithm

/// c = alpha a b + beta c, or c += a b, of boxes that have a dimension in which elements lie beside
/// each other. See blas_threads(). Boxes with more elements in a dimension, or from one line to the
/// next, than the integers of the BLAS can say are left to plain_product.
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
    if (of_c.turned == CblasTrans) {  // by columns: the turned product by rows
      product<T>(of_b.other(), of_a.other(), {c.extent(1), c.extent(0)}, a.extent(1), alpha,
                 b.data(), of_b.line, a.data(), of_a.line, beta, c.data(), of_c.line);
    } else {
      product<T>(of_a.turned, of_b.turned, c.extents(), a.extent(1), alpha, a.data(), of_a.line,
                 b.data(), of_b.line, beta, c.data(), of_c.line);
    }
  }

 private:
  /// How a box lies, seen by rows.
  struct side {
    CBLAS_TRANSPOSE turned;
    std::size_t line;  ///< from one line to the next

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
