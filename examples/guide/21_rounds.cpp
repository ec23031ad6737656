// SPDX-License-Identifier: BSD-3-Clause
// Walkers contribute to several reductions at a time.
#include <acre/objects.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <tuple>
#include <vector>

struct monitor {
  void take(long sum) { sums.push_back(sum); }
  std::vector<long> sums;
  friend auto acre_fields(monitor& m) { return std::tie(m.sums); }
};

struct walker {
  walker() = default;
  explicit walker(std::size_t i) : position(static_cast<long>(i)) {}

  void walk(std::uint64_t steps, const acre::collection_id<walker>& all,
            const acre::object_id<monitor>& to) {
    for (std::uint64_t step = 0; step < steps; ++step) {
      position += 1;
      acre::contribute(all, step, position, acre::op::sum, to, &monitor::take);
    }
  }
  void halt() { position = 0; }

  long position = 0;
  friend auto acre_fields(walker& w) { return std::tie(w.position); }
};

int main() {
  const acre::job job;
  {
    const auto walkers = acre::make_collection<walker>(10, [](std::size_t i) { return i; });
    acre::object_ref<monitor> sums;
    if (acre::rank() == 0) sums = acre::create_here<monitor>();
    const auto to = acre::world().broadcast(sums.id(), 0);
    if (acre::rank() == 0) acre::invoke_all_ff(walkers, &walker::walk, 3, walkers.id(), to);
    acre::drain();
    if (acre::rank() == 0) {
      auto all = acre::invoke(to, [](const monitor& m) { return m.sums; }).get();
      std::ranges::sort(all);  // rounds end in any order
      for (const long each : all) std::printf("all positions: %ld\n", each);
    }

    const auto even = acre::section(walkers, 0, 10, 2);  // 0, 2, … 8
    acre::invoke_all(even, &walker::halt);
    const long rest =
        acre::invoke_reduce(walkers, acre::op::sum, [](const walker& w) { return w.position; });
    const auto last = acre::section(walkers, [](std::size_t i) { return i >= 8; });
    const long most =
        acre::invoke_reduce(last, acre::op::max, [](const walker& w) { return w.position; });
    if (acre::rank() == 0) std::printf("%ld in all, %ld at most of the last two\n", rest, most);
  }
}
