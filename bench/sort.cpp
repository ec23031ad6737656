// SPDX-License-Identifier: BSD-3-Clause
// Sorting random integers on all ranks and, by std::sort, on one: best seconds, as JSON.
//
//     bench-sort [elements]
#include <acre/algorithm/sort.hpp>

#include <acre/acre.hpp>
#include <acre/algorithm/for_each.hpp>

#include <bench/phases.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int runs = 5;

std::uint32_t random_word(std::uint64_t i) {
  return static_cast<std::uint32_t>(acre::split_mix(0, i) >> 32);
}

template <class Prepare, class Run>
double best_seconds(Prepare&& prepare, Run&& run) {
  double best = 1e300;
  for (int i = 0; i < runs; ++i) {
    prepare();
    best = std::min(best, acre::bench::seconds_of(run));
  }
  return best;
}

double sort_on_one(std::size_t size) {
  std::vector<int> numbers(acre::rank() == 0 ? size : 0);
  return best_seconds(
      [&] {
        for (std::size_t i = 0; i < numbers.size(); ++i)
          numbers[i] = static_cast<int>(random_word(i));
      },
      [&] { std::sort(numbers.begin(), numbers.end()); });
}

template <class Sort>
double sort_on_all(std::size_t size, Sort&& sort) {
  acre::array<int> numbers(acre::world(), size);
  const double best = best_seconds(
      [&] {
        acre::generate_with_index(numbers,
                                  [](std::size_t i) { return static_cast<int>(random_word(i)); });
      },
      [&] { sort(numbers); });
  if (!std::ranges::is_sorted(numbers.local())) std::abort();
  acre::barrier();
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  const std::size_t size = acre::bench::calls_wanted(argc, argv, std::size_t{1} << 24, 1U << 20);
  const double one = sort_on_one(size);
  const double all = sort_on_all(size, [](auto& numbers) { acre::sort(numbers); });
  const double stable = sort_on_all(size, [](auto& numbers) { acre::stable_sort(numbers); });
  if (acre::rank() != 0) return 0;
  std::printf(
      "{\"ranks\": %u, \"conduit\": \"%s\", \"elements\": %zu, \"std_sort_s\": %.4f, "
      "\"sort_s\": %.4f, \"stable_sort_s\": %.4f, \"speedup\": %.3f}\n",
      acre::size(), acre::conduit_name().c_str(), size, one, all, stable, one / all);
}
