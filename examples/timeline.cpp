// SPDX-License-Identifier: BSD-3-Clause
// Measurements of all ranks in the order of time.
//
//   acre run -n 4 example-timeline
#include <acre/acre.hpp>
#include <acre/ordered.hpp>

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

int main() {
  const acre::job job;
  constexpr std::uint32_t second_of_day = 86'400;
  std::mt19937 random(acre::rank());
  std::vector<std::uint32_t> times;
  for (int i = 0; i < 1000; ++i)
    times.push_back(static_cast<std::uint32_t>(random() % second_of_day));

  // The samples determine the owners of times.
  acre::sorted_map<std::uint32_t, double> day(acre::world(), times);
  for (const std::uint32_t time : times) {
    const double noon = time / (second_of_day / 2.0) - 1;
    day.insert_or_assign(time, 20 - 10 * noon * noon);
  }
  day.rebalance();  // collective
  const std::uint64_t all = day.size();

  if (acre::rank() == 0) {
    std::uint32_t warmest = 0;
    double most = 0;
    for (std::uint32_t hour = 0; hour < 24; ++hour) {
      double sum = 0;
      int measured = 0;
      day.for_each_in(3600 * hour, 3600 * (hour + 1), [&](std::uint32_t, double degrees) {
        sum += degrees;
        ++measured;
      });
      if (measured != 0 && sum / measured > most) {
        most = sum / measured;
        warmest = hour;
      }
    }
    const auto next = day.lower_bound(3600 * (warmest + 1));
    std::printf("%llu measurements; the warmest hour is %u, with %.1f degrees\n",
                static_cast<unsigned long long>(all), warmest, most);
    if (next)
      std::printf("the next measurement: second %u, %.1f degrees\n", next->first, next->second);
  }
  acre::barrier();
}
