// SPDX-License-Identifier: BSD-3-Clause
// A parabola through many points, by least squares: x of AᵀA x = Aᵀy.
#include <acre/arrays.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>

constexpr std::size_t points = 200'000;

double place(std::size_t i) { return static_cast<double>(i) / points; }
double measured(std::size_t i) {
  const double x = place(i);
  const double noise = static_cast<double>(i * 7919 % 1000) / 1000 - 0.4995;
  return 2 - 3 * x + 0.5 * x * x + noise;
}

/// Solves three equations by elimination.
std::array<double, 3> solve(acre::box_span<double, 2> m, acre::box_span<double, 2> y) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (j == i) continue;
      const double factor = m(j, i) / m(i, i);
      for (std::size_t k = 0; k < 3; ++k) m(j, k) -= factor * m(i, k);
      y(j, 0U) -= factor * y(i, 0U);
    }
  }
  return {y(0U, 0U) / m(0U, 0U), y(1U, 0U) / m(1U, 1U), y(2U, 0U) / m(2U, 2U)};
}

int main() {
  const acre::job job;
  // Each rank has some of the points: 1, x and x² of each, and the measured value.
  const auto rows = [](std::size_t columns) {
    return acre::make_distribution({points, columns}, acre::size(), acre::dist::balanced,
                                   acre::dist::none);
  };
  const acre::matrix<double, 2, decltype(rows(1))> a(
      acre::world(), rows(3),
      [](std::size_t i, std::size_t j) { return std::pow(place(i), static_cast<double>(j)); });
  const acre::matrix<double, 2, decltype(rows(1))> y(
      acre::world(), rows(1), [](std::size_t i, std::size_t) { return measured(i); });

  // These can have any distribution.
  acre::matrix<double, 2> left(acre::world(), {3, 3});
  acre::matrix<double, 2> right(acre::world(), {3, 1});
  const acre::product_report told = acre::multiply(acre::transposed(a), a, left);
  acre::multiply(acre::transposed(a), y, right);

  if (acre::rank() == 0) {
    std::array<double, 9> of_left{};
    std::array<double, 3> of_right{};
    const acre::box_span<double, 2> here(of_left.data(), {3, 3});
    const acre::box_span<double, 2> sums(of_right.data(), {3, 1});
    acre::copy(acre::whole(left), here);
    acre::copy(acre::whole(right), sums);
    const auto [constant, slope, bend] = solve(here, sums);
    std::printf("%.2f %+.2f x %+.2f x x\n", constant, slope, bend);
    std::printf("a product that %s\n", acre::name_of(told.algorithm));
  }
  acre::barrier();

  // Matrices that do not fit are an error on all ranks, before anything is written.
  try {
    acre::multiply(a, a, left);
  } catch (const acre::error& failed) {
    if (acre::rank() == 0) std::printf("%s\n", failed.advice().c_str());
  }
}
