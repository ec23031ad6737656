// SPDX-License-Identifier: BSD-3-Clause
#include <apps/sign/product_rate.hpp>

#include <acre/global/team/team.hpp>
#include <acre/launch/job.hpp>
#include <acre/view/box_span.hpp>

#include <apps/program/product.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace acre::sign {

double dense_product_rate() {
  constexpr std::size_t n = 512;
  constexpr int times = 4;        // the first has a cold cache
  constexpr double enough = 0.1;  // mean seconds of the ranks; a cold cache costs far less
  const std::vector<double> factor(n * n, 0.5);
  std::vector<double> made(n * n);
  const box_span<const double, 2> a(factor.data(), {n, n}, {n, 1});
  const box_span<double, 2> c(made.data(), {n, n}, {n, 1});
  program::product product;
  double best = 0;
  for (int i = 0; i < times; ++i) {
    world().barrier();
    const auto begin = std::chrono::steady_clock::now();
    product(1.0, a, a, 0.0, c);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    best = std::max(best, 2 * static_cast<double>(n * n * n) / spent.count() / 1e9);
    if (world().allreduce(spent.count()) > enough * static_cast<double>(size())) break;
  }
  return world().allreduce(best);
}

}  // namespace acre::sign
