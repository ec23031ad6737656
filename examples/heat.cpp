// SPDX-License-Identifier: BSD-3-Clause
// Heat in a plate: four ranks have a box each and exchange halos.
//
//   acre run -n 4 build/bin/example-heat
//
// Exact solution: sin(pi x) sin(pi y), decaying.
#include <acre/array/halo.hpp>
#include <acre/array/stencil.hpp>
#include <acre/launch/job.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

int main() {
  const acre::job job;
  constexpr std::size_t n = 63;  // inner points per row
  constexpr double h = 1.0 / (n + 1), dt = h * h / 5;
  constexpr int steps = 1000;
  const auto shape = [](std::size_t i, std::size_t j) {
    return std::sin(std::numbers::pi * h * static_cast<double>(i + 1)) *
           std::sin(std::numbers::pi * h * static_cast<double>(j + 1));
  };

  acre::halo_matrix<double, 2> now(acre::world(), {n, n}, 1);
  acre::halo_matrix<double, 2> next(acre::world(), {n, n}, 1);
  acre::halo around_now(now, {.edges = acre::fixed(0.0), .corners = acre::halo_corners::left_out});
  acre::halo around_next(next,
                         {.edges = acre::fixed(0.0), .corners = acre::halo_corners::left_out});
  acre::stencil(around_next, now, [&](auto u) { return shape(u.where()[0], u.where()[1]); });

  for (int step = 0; step < steps; ++step) {
    around_now.update();
    acre::stencil(around_now, next, [](auto u) {
      return *u + dt / (h * h) * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) - 4 * *u);
    });
    std::swap(now, next);
    std::swap(around_now, around_next);
  }

  const double decay = std::exp(-2 * std::numbers::pi * std::numbers::pi * dt * steps);
  double error = 0;
  acre::stencil(around_now, next, [&](auto u) {
    error = std::max(error, std::abs(*u - decay * shape(u.where()[0], u.where()[1])));
    return 0.0;
  });
  error = acre::world().allreduce(error, acre::op::max);
  if (acre::rank() == 0) {
    std::printf("after %d steps %.4f of the heat is left, to within %.1e\n", steps, decay, error);
  }
  return error < 1e-3 ? 0 : 1;
}
