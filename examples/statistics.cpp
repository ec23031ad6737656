// SPDX-License-Identifier: BSD-3-Clause
// Statistics of a table of measurements, one row a day and one column a station.
//
//   acre run -n 4 build/bin/example-statistics
#include <acre/arrays.hpp>
#include <acre/matrix_files/csv/csv.hpp>

#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

int main() {
  const acre::job job;
  constexpr std::size_t days = 365, stations = 12;
  acre::matrix<double, 2> table(acre::world(), {days, stations}, [](std::size_t i, std::size_t j) {
    return static_cast<double>(i * (j + 3) % 17 + 2 * j);
  });

  // NumPy: mean = table.mean(axis=0); rest = table - mean
  auto mean = acre::reduce_along<0>(acre::whole(table));
  acre::for_each(mean, [](double& each) { each /= days; });
  acre::matrix<double, 2> rest(acre::world(), {days, stations});
  acre::transform(table, acre::broadcast(mean, table.extents()), rest, std::minus<>());

  // table[::7, ::2]
  const auto sundays = acre::slice(table, {{.step = 7}, {.step = 2}});
  const double on_sundays = acre::reduce_on_all(sundays) / static_cast<double>(sundays.size());

  // Stations by descending mean.
  const auto order = acre::argsort(mean, std::ranges::greater());

  // Distinct values, and days at station 0 below bounds.
  acre::array<double> values(acre::world(), days * stations);
  acre::copy(table, values);
  acre::sort(values);
  const auto others = acre::unique(values);
  const std::size_t distinct = values.size() - static_cast<std::size_t>(others.size());
  acre::array<double> station(acre::world(), days);
  acre::copy(acre::col(table, 0), station);
  acre::sort(station);
  const acre::array<double> bounds(
      acre::world(), 3, [](std::size_t i) { return 4.0 + 4.0 * static_cast<double>(i); });
  acre::array<std::size_t> below(acre::world(), bounds.size());
  acre::lower_bound(station, bounds, below);

  // All ranks count into one histogram.
  acre::array<int> histogram(acre::world(), 4);
  for (const double each : acre::own(station)) {
    const auto bin = static_cast<std::size_t>(each / 4.0);
    ++acre::atomic_ref(histogram[bin < 3 ? bin : 3]);
  }
  acre::barrier();

  const std::string file = "statistics-" + std::to_string(acre::size()) + ".csv";
  acre::store_csv(file, rest);
  const auto again = acre::load_csv<double>(acre::world(), file);
  const bool is_equal = acre::equal_on_all(rest, again);

  if (acre::rank() == 0) {
    std::remove(file.c_str());
    std::printf("station %zu has the highest mean, %.2f\n", std::size_t(order[0]),
                double(mean(std::size_t(order[0]))));
    std::printf("mean on Sundays %.2f, %zu distinct values\n", on_sundays, distinct);
    std::size_t counted = 0;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      counted += static_cast<std::size_t>(int(histogram[i]));
      std::printf("%zu days below %.0f\n", std::size_t(below[i]), double(bounds[i]));
      if (counted != below[i]) return 1;
    }
    return is_equal && distinct == 39 && order[0] == stations - 1 ? 0 : 1;
  }
}
