// SPDX-License-Identifier: BSD-3-Clause
// Reproducible scalar products and norms of vectors distributed by rows.
#pragma once

#include <acre/algorithm/add_elements.hpp>
#include <acre/algorithm/norm_of_squares.hpp>
#include <acre/base/complex_number.hpp>
#include <acre/base/error.hpp>
#include <acre/base/reproducible_sum.hpp>
#include <acre/base/site.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>

namespace acre {

namespace csr {

/// Real and imaginary parts in turn; the elements themselves if real.
template <class T>
[[nodiscard]] auto parts_of(std::span<const T> elements) {
  using part = typename base::part_of_number<T>::type;
  return std::span<const part>(reinterpret_cast<const part*>(elements.data()),
                               elements.size() * (sizeof(T) / sizeof(part)));
}

/// Adds f(0), …, f(count - 1).
template <class F>
[[nodiscard]] reproducible_sum<double> sum_of(std::size_t count, const F& f) {
  reproducible_sum<double> sum;
  algorithm::add_elements(std::views::iota(std::size_t{0}, count), f, sum);
  return sum;
}

struct real_and_imaginary {
  reproducible_sum<double> real;
  reproducible_sum<double> imaginary;

  friend real_and_imaginary operator+(const real_and_imaginary& a, const real_and_imaginary& b) {
    return {a.real + b.real, a.imaginary + b.imaginary};
  }
};

}  // namespace csr

/// Sum of conj(x[i]) * y[i]: rounded products of parts, summed exactly.
/// Collective; elements written before a barrier count. Cost: 1 allreduce.
/// @throws acre::error on all members if teams or cuts differ
template <row_vector X, row_vector Y>
  requires reproducible_addend<typename X::value_type> &&
           std::same_as<typename X::value_type, typename Y::value_type>
[[nodiscard]] typename X::value_type dot(const X& x, const Y& y,
                                         const site& where = site::current()) {
  using T = typename X::value_type;
  if (!(x.members() == y.members()) || !(cut_of(x) == cut_of(y))) {
    throw error("dot", "the vectors have different teams or cuts" + describe_place(where),
                "make both with the row_cut of one matrix");
  }
  const auto a = csr::parts_of(std::span<const T>(x.local()));
  const auto b = csr::parts_of(std::span<const T>(y.local()));
  const auto product = [&](std::size_t i, std::size_t j) {
    return static_cast<double>(a[i]) * static_cast<double>(b[j]);
  };
  const auto real = csr::sum_of(a.size(), [&](std::size_t i) { return product(i, i); });
  if constexpr (base::is_complex<T>) {
    using part = typename T::value_type;
    const auto imaginary = csr::sum_of(a.size(), [&](std::size_t i) {
      return i % 2 == 0 ? product(i, i + 1) : -product(i, i - 1);
    });
    const auto sums =
        x.members().allreduce(csr::real_and_imaginary{real, imaginary}, op::sum, where);
    return T(static_cast<part>(sums.real.value()), static_cast<part>(sums.imaginary.value()));
  } else {
    return static_cast<T>(x.members().allreduce(real, op::sum, where).value());
  }
}

/// Euclidean norm; the squares do not overflow. Relative error below 2^-52, for float before it is
/// rounded. Collective. Cost: 1 allreduce; 3 if the squares' sum overflows or is below 2^-918.
template <row_vector X>
  requires reproducible_addend<typename X::value_type>
[[nodiscard]] auto norm(const X& x, const site& where = site::current()) {
  using T = typename X::value_type;
  const auto own = csr::parts_of(std::span<const T>(x.local()));
  const double norm = algorithm::norm_of_squares(
      [&](double scale) {
        const auto square = [&](std::size_t i) {
          const double scaled = static_cast<double>(own[i]) * scale;
          return scaled * scaled;
        };
        return x.members().allreduce(csr::sum_of(own.size(), square), op::sum, where).value();
      },
      [&] {
        double largest = 0;
        for (const auto& each : own) {
          largest = op::max(largest, static_cast<double>(each < 0 ? -each : each));
        }
        return x.members().allreduce(largest, op::max, where);
      });
  return static_cast<typename base::part_of_number<T>::type>(norm);
}

}  // namespace acre
