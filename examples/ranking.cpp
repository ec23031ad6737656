// SPDX-License-Identifier: BSD-3-Clause
// Distribution, median and running mean of all ranks' measurements.
//
//   acre run -n 4 build/bin/example-ranking
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/histogram.hpp>
#include <acre/algorithm/scan.hpp>
#include <acre/algorithm/sort.hpp>
#include <acre/array/array.hpp>
#include <acre/launch/job.hpp>

#include <cmath>
#include <cstdio>

int main() {
  const acre::job job;
  constexpr std::size_t count = 10'000;
  acre::array<double> values(acre::world(), count);
  acre::generate_with_index(values, [](std::size_t i) {
    return std::fmod(static_cast<double>(i) * 0.618034, 1.0) *
           std::fmod(static_cast<double>(i) * 0.414214, 1.0);
  });

  const auto bins = acre::histogram_on_all(values, 10, 0.0, 1.0);
  acre::array<double> sums(acre::world(), count);
  acre::inclusive_scan(values, sums);
  acre::sort(values);

  if (acre::rank() == 0) {
    for (const std::size_t in_bin : bins) std::printf("%zu ", in_bin);
    const double median = values[count / 2], mean = sums[count - 1] / count;
    std::printf("\nmedian %.3f, mean %.3f, of the first 100 %.3f\n", median, mean, sums[99] / 100);
    if (std::abs(mean - 0.25) > 0.01) return 1;
  }
}
