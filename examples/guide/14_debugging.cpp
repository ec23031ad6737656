// SPDX-License-Identifier: BSD-3-Clause
// Frequent mistakes, and the error that Acre reports for each.
#include <acre/acre.hpp>

#include <cstdio>
#include <stdexcept>

template <class F>
void make_mistake(F&& mistake) {
  try {
    mistake();
    if (acre::rank() == 0) std::printf("nothing happened\n");
  } catch (const acre::error& failure) {
    if (acre::rank() == 0) {
      std::printf("%s: %s\n", failure.call().c_str(), failure.problem_and_advice().c_str());
    }
  }
  acre::barrier();
}

int main() {
  const acre::job job;
  acre::array<int> numbers(acre::world(), 10);
  acre::hash_map<int, int> map(acre::world(), 16);

  make_mistake([&] { numbers.at(10) = 1; });
  make_mistake([] { const acre::array<int> uneven(acre::world(), 10 + acre::rank()); });
  make_mistake([&] {
    for (int i = 0; acre::rank() == 0 && i < 17; ++i) map.insert(i, i);
  });
  make_mistake([] { static_cast<void>(acre::world().split(0).world_rank(7)); });
  make_mistake([] { acre::array<int>().fill(1); });
  make_mistake([] { acre::rpc(0, [] { throw std::runtime_error("unknown read"); }).get(); });
  make_mistake([] {
    acre::future<int> answer = acre::rpc(0, [] { return 1; });
    static_cast<void>(answer.get() + answer.get());
  });
}
