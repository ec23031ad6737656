// SPDX-License-Identifier: BSD-3-Clause
// Statements of NumPy, and the same in Acre.
#include <acre/arrays.hpp>

#include <cstddef>
#include <cstdio>
#include <ranges>
#include <string>

int main() {
  const acre::job job;
  // t = np.fromfunction(lambda i, j: i * (j + 3) % 11, (12, 8), dtype=np.int32)
  const acre::matrix<int, 2> t(acre::world(), {12, 8}, [](std::size_t i, std::size_t j) {
    return static_cast<int>(i * (j + 3) % 11);
  });

  // total = t.sum(); largest = t.argmax(); zeros = np.count_nonzero(t == 0)
  const long total = acre::reduce_on_all(t);
  const std::size_t largest = acre::max_element_on_all(t).index();
  const std::size_t zeros = acre::count_on_all(t, 0);

  // d = t - t.mean(axis=0)
  const auto sums = acre::reduce_along<0>(acre::whole(t));
  acre::matrix<double, 2> d(acre::world(), t.extents());
  acre::transform(t, acre::broadcast(sums, t.extents()), d,
                  [](int each, long sum) { return each - static_cast<double>(sum) / 12; });

  // d[::2, 1:3] = 0; norm = np.linalg.norm(d)
  acre::fill(acre::slice(d, {{.step = 2}, {.first = 1, .end = 3}}), 0.0);
  const double norm = acre::norm_on_all(d, acre::op::reproducible_sum);

  // v = np.unique(t); c = v.cumsum()
  acre::array<int> v(acre::world(), t.size());
  acre::copy(t, v);
  acre::sort(v);
  const std::size_t distinct = v.size() - acre::unique(v).size();
  acre::array<long> c(acre::world(), distinct);
  acre::inclusive_scan(v | std::views::take(distinct), c);

  // np.save(file, d)
  const std::string file = "numpy-" + std::to_string(acre::size()) + ".npy";
  acre::store_npy(file, d);

  if (acre::rank() == 0) {
    std::printf("sum %ld, largest in row %zu, column %zu, %zu zeros\n", total, largest / 8,
                largest % 8, zeros);
    std::printf("%zu distinct values, sum %ld; d has the norm %.6f\n", distinct,
                static_cast<long>(c[distinct - 1]), norm);
    std::remove(file.c_str());
  }
}
