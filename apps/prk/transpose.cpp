// SPDX-License-Identifier: BSD-3-Clause
// B += A transposed, then A += 1, in row blocks. Ranks read remote parts directly.
#include <acre/algorithm/transpose.hpp>

#include <acre/array/matrix.hpp>
#include <acre/base/wide_loops.hpp>

#include <apps/prk/kernels.hpp>
#include <apps/prk/outcome.hpp>

#include <cmath>
#include <cstddef>
#include <functional>

namespace acre::prk {

void transpose(const transpose_request& wanted) {
  require_for_each_rank("rows", wanted.order);
  const std::size_t n = wanted.order;
  const auto rows = make_distribution({n, n}, size(), dist::balanced, dist::none);
  auto a = make_matrix<double>(world(), rows);
  auto b = make_matrix<double>(world(), rows);
  const std::size_t first = a.local_box().first[0];
  const std::span<double> own = a.local().flat();
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = static_cast<double>(first * n + i);

  const double seconds = seconds_of_one(wanted.iterations, [&] {
    transpose_onto(a, b, std::plus<>());
    base::in_wide_loops([&] {
      for (double& each : own) each += 1;
    });
  });

  const double times = wanted.iterations + 1.0;
  double error = 0;
  for (std::size_t i = 0; i < b.local().extent(0); ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const auto original = static_cast<double>(j * n + first + i);
      error += std::abs(b.local()(i, j) - times * (original + wanted.iterations / 2.0));
    }
  }
  require_sum("the sum of errors and one", 1 + world().allreduce(error), 1);
  print_rate("MB/s", 2e-6 * sizeof(double) * static_cast<double>(n * n), seconds);
}

}  // namespace acre::prk
