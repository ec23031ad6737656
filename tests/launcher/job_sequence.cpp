// Three jobs one after the other in the same processes, with work in each.
#include <acre/acre.hpp>

#include <cstdio>

namespace {

/// What this rank's neighbour wrote here, all added up: the same in each job.
long work() {
  const acre::job job;
  const acre::rank_t next = (acre::rank() + 1) % acre::size();
  const auto mine = acre::allocate_symmetric<long>();
  acre::put(acre::at_rank(mine, next), acre::rpc(next, [] { return 1L + acre::rank(); }).get());
  acre::barrier();
  const long sum = acre::world().allreduce(acre::get(mine));
  acre::deallocate_symmetric(mine);
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
