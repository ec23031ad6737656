// SPDX-License-Identifier: BSD-3-Clause
// A sum is high + low, within `rest`. If high + (low ± rest) round to one number, this is the exact
// sum rounded; else an accumulator adds the column.
#define ACRE_WIDE_LOOPS 1

#include <acre/base/column_sums.hpp>

#include <acre/base/wide_loops.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <span>

namespace acre::base {

namespace {

/// a + b = sum + error, exactly, unless the sum overflows.
template <class T>
struct sum_and_error {
  T sum;
  T error;

  sum_and_error(T a, T b) noexcept : sum(a + b) {
    const T of_b = sum - a;
    error = (a - (sum - of_b)) + (b - of_b);
  }
};

template <class T>
[[nodiscard]] T accumulated(std::span<const T> rows, std::size_t width, std::size_t column) {
  reproducible_sum<T> sum;
  for (std::size_t i = column; i < rows.size(); i += width) sum.add(rows[i]);
  return sum.value();
}

template <class T>
void add_real_columns(std::span<const T> rows, std::span<T> sums) {
  constexpr std::size_t most = 64;
  const std::size_t width = sums.size();
  for (std::size_t first = 0; first < width; first += most) {
    const std::size_t count = std::min(most, width - first);
    T high[most];
    T low[most] = {};
    T rest[most] = {};
    std::copy_n(rows.data() + first, count, high);
    for (std::size_t row = width; row < rows.size(); row += width) {
      const T* const next = rows.data() + row + first;
      for (std::size_t i = 0; i < count; ++i) {
        const sum_and_error<T> of_high(high[i], next[i]);
        const sum_and_error<T> of_low(low[i], of_high.error);
        high[i] = of_high.sum;
        low[i] = of_low.sum;
        rest[i] += std::abs(of_low.error);
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      // Twice the sum, which is rounded; and what adding it to `low` may lose.
      const T lost = rest[i] > 0 ? std::numeric_limits<T>::epsilon() * std::abs(low[i]) : 0;
      const T bound = 2 * rest[i] + lost;
      const T sum = high[i] + (low[i] + bound);
      const bool is_exact = high[i] + (low[i] - bound) == sum;
      sums[first + i] = !is_exact     ? accumulated(rows, width, first + i)
                        : low[i] == 0 ? high[i]  // maybe -0
                                      : sum;
    }
  }
}

}  // namespace

template <reproducible_addend T>
void add_columns(std::span<const T> rows, std::span<T> sums) {
  if constexpr (is_complex<T>) {
    using part = typename T::value_type;
    const std::span parts(reinterpret_cast<const part*>(rows.data()), 2 * rows.size());
    add_columns(parts, std::span(reinterpret_cast<part*>(sums.data()), 2 * sums.size()));
  } else {
    in_wide_loops([&] { add_real_columns(rows, sums); });
  }
}

template void add_columns(std::span<const float>, std::span<float>);
template void add_columns(std::span<const double>, std::span<double>);
template void add_columns(std::span<const std::complex<float>>, std::span<std::complex<float>>);
template void add_columns(std::span<const std::complex<double>>, std::span<std::complex<double>>);

}  // namespace acre::base
