// SPDX-License-Identifier: BSD-3-Clause
// a += b + 3 c: memory bandwidth.
#include <acre/array/array.hpp>
#include <acre/base/wide_loops.hpp>

#include <apps/prk/kernels.hpp>
#include <apps/prk/outcome.hpp>

#include <cstddef>
#include <span>

namespace acre::prk {

void nstream(const nstream_request& wanted) {
  require_for_each_rank("elements", wanted.length);
  array<double> all_a(world(), wanted.length, 0);
  const array<double> all_b(world(), wanted.length, 2);
  const array<double> all_c(world(), wanted.length, 2);
  const std::span<double> a = all_a.local();
  const std::span<const double> b = all_b.local();
  const std::span<const double> c = all_c.local();

  const double seconds = seconds_of_one(wanted.iterations, [&] {
    base::in_wide_loops([&] {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i] + 3 * c[i];
    });
  });

  double sum = 0;
  for (const double each : a) sum += each;
  const auto length = static_cast<double>(wanted.length);
  require_sum("the sum", world().allreduce(sum), 8 * (wanted.iterations + 1.0) * length);
  print_rate("MB/s", 4e-6 * sizeof(double) * length, seconds);
}

}  // namespace acre::prk
