// SPDX-License-Identifier: BSD-3-Clause
// Star stencil on a square; then all inputs grow by 1, so halos must be exchanged again. With
// elements i + j, sums grow by 2.
#include <acre/array/stencil.hpp>

#include <acre/array/halo.hpp>
#include <acre/base/wide_loops.hpp>

#include <apps/prk/kernels.hpp>
#include <apps/prk/outcome.hpp>

#include <cmath>
#include <cstddef>
#include <utility>

namespace acre::prk {
namespace {

template <int Radius>
struct star {
  [[gnu::always_inline]] void operator()(const auto& u, double& sum) const noexcept {
    sum += [&]<int... R>(std::integer_sequence<int, R...>) {
      return (((u(0, R + 1) - u(0, -R - 1) + u(R + 1, 0) - u(-R - 1, 0)) *
               (1.0 / (2.0 * (R + 1) * Radius))) +
              ...);
    }(std::make_integer_sequence<int, Radius>());
  }
};

template <int Radius>
void run(const stencil_request& wanted) {
  const layout::coordinates<2> extents{wanted.order, wanted.order};
  const team grid = team::cartesian_for({wanted.order, wanted.order});
  halo_matrix<double, 2> in(grid, extents, Radius);
  matrix<double, 2> out(grid, extents);
  halo around(in, {.corners = halo_corners::left_out});
  const layout::box<2> active{.first = {Radius, Radius},
                              .extents = {wanted.order - 2 * Radius, wanted.order - 2 * Radius}};
  in.each_local_block([](const auto& where, const auto& own) {
    for (std::size_t i = 0; i < own.extent(0); ++i) {
      for (std::size_t j = 0; j < own.extent(1); ++j) {
        own(i, j) = static_cast<double>(where.first[0] + i + where.first[1] + j);
      }
    }
  });

  const double seconds = seconds_of_one(wanted.iterations, [&] {
    stencil_with_update(around, out, active, star<Radius>());
    in.local().each_run([](std::span<double> run) {
      base::in_wide_loops([&] {
        for (double& each : run) each += 1;
      });
    });
  });

  double norm = 0;
  out.local().each_run([&](std::span<double> run) {
    for (const double each : run) norm += std::abs(each);
  });
  const auto points = static_cast<double>(active.size());
  require_sum("the norm", world().allreduce(norm) / points, 2.0 * (wanted.iterations + 1));
  print_rate("MFlops/s", 1e-6 * (2 * (4 * Radius + 1) + 1) * points, seconds);
}

}  // namespace

void stencil(const stencil_request& wanted) {
  switch (wanted.radius) {
    case 1:
      return run<1>(wanted);
    case 2:
      return run<2>(wanted);
    case 3:
      return run<3>(wanted);
    default:
      return run<4>(wanted);
  }
}

}  // namespace acre::prk
