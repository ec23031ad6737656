// SPDX-License-Identifier: BSD-3-Clause
// The tasks of many programs of Global Arrays: get blocks, multiply them, accumulate the product.
#include <acre/arrays.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

using table = acre::matrix<double, 2>;
constexpr std::size_t n = 60, width = 15, blocks = n / width;

// Block (i, j) of a matrix: lo and hi of NGA_Get, with an exclusive end.
auto block(table& of, std::size_t i, std::size_t j) {
  return acre::sub(of, {.first = {i * width, j * width}, .extents = {width, width}});
}

int main() {
  const acre::job job;  // GA_Initialize
  const auto small = [](std::size_t i, std::size_t j) {
    return static_cast<double>((i + 2 * j) % 7);
  };
  table a(acre::world(), {n, n}, small);  // NGA_Create
  table b(acre::world(), {n, n}, small);
  table c(acre::world(), {n, n});  // GA_Zero
  acre::shared_counter next(acre::world());

  std::vector<double> memory(3 * width * width);
  const auto part = [&](std::size_t number) {
    return acre::box_span<double, 2>(memory.data() + number * width * width, {width, width});
  };
  const auto left = part(0), right = part(1), product = part(2);
  std::size_t tasks = 0;
  for (const auto chunk : next.chunks(blocks * blocks * blocks, 2)) {  // NGA_Read_inc
    for (const std::size_t task : chunk) {
      const std::size_t i = task / blocks / blocks, j = task / blocks % blocks, k = task % blocks;
      acre::copy(block(a, i, k), left);  // NGA_Get
      acre::copy(block(b, k, j), right);
      for (std::size_t row = 0; row < width; ++row) {
        for (std::size_t column = 0; column < width; ++column) {
          double sum = 0;
          for (std::size_t x = 0; x < width; ++x) sum += left(row, x) * right(x, column);
          product(row, column) = sum;
        }
      }
      acre::accumulate(product, block(c, i, j));  // NGA_Acc
      ++tasks;
    }
  }
  acre::barrier();  // GA_Sync

  table d(acre::world(), {n, n});
  acre::multiply(a, b, d);  // GA_Dgemm
  const bool is_equal = acre::equal_on_all(c, d);
  const double dot = acre::dot_on_all(a, c);  // GA_Ddot
  const std::size_t all = acre::world().reduce(tasks, 0).value_or(0);

  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (c.owner({i, i}).is_this_rank()) trace += c(i, i);  // NGA_Locate
  }
  trace = acre::world().allreduce(trace);  // GA_Dgop
  if (acre::rank() == 0) {
    std::printf("%zu tasks; the products are %s\n", all, is_equal ? "equal" : "different");
    std::printf("trace %.0f, scalar product with the left factor %.0f\n", trace, dot);
  }
}
