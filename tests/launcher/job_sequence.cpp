// SPDX-License-Identifier: BSD-3-Clause
// Three consecutive jobs in the same processes.
#include <acre/acre.hpp>

#include <cstdio>

namespace {

bool misses_object_of_rank_0() {
  if (acre::rank() == 0) return true;
  const acre::dist_object<int> object(acre::world(), 1);
  try {
    static_cast<void>(object.fetch(0).get());
    return false;
  } catch (const acre::error&) {
    return true;
  }
}

long work() {
  const acre::job job;
  const acre::rank_t next = (acre::rank() + 1) % acre::size();
  const auto mine = acre::allocate_symmetric<long>();
  acre::put(acre::at_rank(mine, next), acre::rpc(next, [] { return 1L + acre::rank(); }).get());
  acre::barrier();
  const acre::dist_object<long> object(acre::world(), acre::get(mine));
  long sum = 0;
  for (acre::rank_t rank = 0; rank < acre::size(); ++rank) sum += object.fetch(rank).get();
  acre::deallocate_symmetric(mine);
  if (object.name().number != 0 || !misses_object_of_rank_0()) return -1;
  return sum - static_cast<long>(acre::size()) * (acre::size() + 1) / 2;
}

}  // namespace

int main() {
  for (int number = 1; number <= 3; ++number) {
    if (work() != 0) {
      std::fprintf(stderr, "job %d has a wrong result\n", number);
      return 1;
    }
  }
  std::printf("three jobs are done\n");
  return 0;
}
