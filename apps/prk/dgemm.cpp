// SPDX-License-Identifier: BSD-3-Clause
// C += A B by multiply_add(), with A = B = column numbers.
#include <acre/algorithm/multiply.hpp>
#include <acre/array/matrix.hpp>

#include <apps/prk/kernels.hpp>
#include <apps/prk/outcome.hpp>
#include <apps/program/product.hpp>

#include <cstddef>

namespace acre::prk {

void dgemm(const dgemm_request& wanted) {
  require_for_each_rank("rows", wanted.order);
  const layout::coordinates<2> extents{wanted.order, wanted.order};
  const team grid = team::cartesian_for({wanted.order, wanted.order});
  matrix<double, 2> a(grid, extents);
  matrix<double, 2> c(grid, extents);
  a.each_local_block([](const auto& where, const auto& own) {
    for (std::size_t i = 0; i < own.extent(0); ++i) {
      for (std::size_t j = 0; j < own.extent(1); ++j) {
        own(i, j) = static_cast<double>(where.first[1] + j);
      }
    }
  });
  program::share_cores();

  const double seconds =
      seconds_of_one(wanted.iterations, [&] { multiply_add(a, a, c, program::product()); });

  double sum = 0;
  c.local().each_run([&](std::span<double> run) {
    for (const double each : run) sum += each;
  });
  const auto n = static_cast<double>(wanted.order);
  const double once = n * n * n * (n - 1) * (n - 1) / 4;
  require_sum("the sum", world().allreduce(sum), once * (wanted.iterations + 1));
  print_rate("MFlops/s", 2e-6 * n * n * n, seconds);
}

}  // namespace acre::prk
