// SPDX-License-Identifier: BSD-3-Clause
// One sum computed in four ways, with the counters of each.
#include <acre/acre.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

template <class F>
void count(const char* way, F&& compute) {
  const acre::operation_counts before = acre::counters();
  const double sum = compute();
  const acre::operation_counts spent = acre::counters() - before;
  if (acre::rank() == 0) {
    std::printf("%-10s %.0f: %6zu R, %6zu bytes, %5zu to other nodes, %zu collectives\n", way, sum,
                static_cast<std::size_t>(spent.reads), static_cast<std::size_t>(spent.read_bytes),
                static_cast<std::size_t>(spent.network_operations),
                static_cast<std::size_t>(spent.collectives));
  }
}

int main() {
  const acre::job job;
  acre::array<double> numbers(acre::world(), 10'000, 0.5);
  const bool reads = acre::rank() == 0;

  count("elements", [&] {  // one round trip for each remote number
    return reads ? std::accumulate(numbers.begin(), numbers.end(), 0.0) : 0.0;
  });
  // Each run is a range of elements that one rank holds.
  const acre::layout::segments runs(numbers.pattern(), 0, reads ? numbers.size() : 0);
  std::vector<double> copy(reads ? numbers.size() : 0);
  const auto place_of = [&](auto run) {
    return std::span(copy).subspan(run.index(), (*run).count);
  };
  count("segments", [&] {  // one read for each rank
    for (auto run = runs.begin(); run != runs.end(); ++run) {
      acre::get(numbers.pointer(run.index()), place_of(run));
    }
    return std::accumulate(copy.begin(), copy.end(), 0.0);
  });
  count("at once", [&] {  // the same reads, all under way together
    for (auto run = runs.begin(); run != runs.end(); ++run) {
      acre::get_nbi(numbers.pointer(run.index()), place_of(run));
    }
    acre::quiet();
    return std::accumulate(copy.begin(), copy.end(), 0.0);
  });
  count("owners", [&] {  // each rank sums its own elements
    const auto mine = numbers.local();
    return acre::world().allreduce(std::accumulate(mine.begin(), mine.end(), 0.0));
  });
}
