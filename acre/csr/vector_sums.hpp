// SPDX-License-Identifier: BSD-3-Clause
// Reproducible scalar products and norms of vectors distributed by rows.
#pragma once

#include <acre/algorithm/add_elements.hpp>
#include <acre/algorithm/norm_of_squares.hpp>
#include <acre/base/error.hpp>
#include <acre/base/reproducible_sum.hpp>
#include <acre/base/site.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <ranges>

namespace acre {

namespace csr {

template <class F>
[[nodiscard]] double sum_of_own(const team& members, std::size_t count, const F& f,
                                const site& where) {
  reproducible_sum<double> sum;
  algorithm::add_elements(std::views::iota(std::size_t{0}, count), f, sum);
  return members.allreduce(sum, op::sum, where).value();
}

}  // namespace csr

/// Sum of x[i] * y[i] in double: products are rounded once, then summed exactly. Collective;
/// elements written before a barrier count. Cost: 1 allreduce.
/// @throws acre::error on all members if teams or cuts differ
template <row_vector X, row_vector Y>
  requires reproducible_real<typename X::value_type> &&
           std::same_as<typename X::value_type, typename Y::value_type>
[[nodiscard]] typename X::value_type dot(const X& x, const Y& y,
                                         const site& where = site::current()) {
  if (!(x.members() == y.members()) || !(cut_of(x) == cut_of(y))) {
    throw error("dot", "the vectors have different teams or cuts" + describe_place(where),
                "make both with the row_cut of one matrix");
  }
  const auto a = x.local();
  const auto b = y.local();
  const auto product = [&](std::size_t i) {
    return static_cast<double>(a[i]) * static_cast<double>(b[i]);
  };
  return static_cast<typename X::value_type>(
      csr::sum_of_own(x.members(), a.size(), product, where));
}

/// The squares do not overflow. Relative error below 2^-52, for float before it is rounded.
/// Collective. Cost: 1 allreduce; 3 if the squares' sum overflows or is below 2^-918.
template <row_vector X>
  requires reproducible_real<typename X::value_type>
[[nodiscard]] typename X::value_type norm(const X& x, const site& where = site::current()) {
  using T = typename X::value_type;
  const auto own = x.local();
  const double norm = algorithm::norm_of_squares(
      [&](double scale) {
        const auto square = [&](std::size_t i) {
          const double scaled = static_cast<double>(own[i]) * scale;
          return scaled * scaled;
        };
        return csr::sum_of_own(x.members(), own.size(), square, where);
      },
      [&] {
        double largest = 0;
        for (const T& each : own) {
          largest = op::max(largest, static_cast<double>(each < 0 ? -each : each));
        }
        return x.members().allreduce(largest, op::max, where);
      });
  return static_cast<T>(norm);
}

}  // namespace acre
