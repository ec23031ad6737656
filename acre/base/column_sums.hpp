// SPDX-License-Identifier: BSD-3-Clause
// Exact sums of columns.
#pragma once

#include <acre/base/reproducible_sum.hpp>

#include <complex>
#include <span>

namespace acre::base {

/// sums[i] = the reproducible_sum of rows[i], rows[sums.size() + i], … Up to 2^20 rows. Cost: l.
/// Source: T. Ogita, S. M. Rump, S. Oishi, Accurate sum and dot product, 2005,
/// algorithm 4.8 (K = 3).
template <reproducible_addend T>
void add_columns(std::span<const T> rows, std::span<T> sums);

extern template void add_columns(std::span<const float>, std::span<float>);
extern template void add_columns(std::span<const double>, std::span<double>);
extern template void add_columns(std::span<const std::complex<float>>,
                                 std::span<std::complex<float>>);
extern template void add_columns(std::span<const std::complex<double>>,
                                 std::span<std::complex<double>>);

}  // namespace acre::base
