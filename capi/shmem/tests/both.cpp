// SPDX-License-Identifier: BSD-3-Clause
// OpenSHMEM and Acre in one program: one job, one heap.
#include "check.h"
#include <acre/acre.hpp>

#include <complex>
#include <shmem.h>

static long counter;

int main() {
  const acre::job job;
  shmem_init();
  CHECK(shmem_my_pe() == static_cast<int>(acre::rank()));
  CHECK(shmem_n_pes() == static_cast<int>(acre::size()));
  const acre::rank_t next = (acre::rank() + 1) % acre::size();

  auto* const block = static_cast<long*>(shmem_malloc(10 * sizeof(long)));
  const acre::global_ptr<long> mine = acre::to_global(block);
  const acre::global_ptr<long> neighbours(next, mine.offset());
  CHECK(mine.local() == block);
  CHECK(neighbours.local() == shmem_ptr(block, static_cast<int>(next)));
  acre::put(neighbours, 7L);
  acre::barrier();
  CHECK(*block == 7 && shmem_long_g(block, static_cast<int>(next)) == 7);
  const acre::global_ptr<int> theirs = acre::allocate_symmetric<int>(1);
  acre::barrier();
  shmem_p(theirs.local(), 5, static_cast<int>(next));
  shmem_barrier_all();
  CHECK(*theirs.local() == 5);

  *block = 0;
  acre::barrier();
  for (int i = 0; i < 100; ++i) {
    acre::fetch_add(acre::global_ptr<long>(0, mine.offset()), 1L);
    shmem_atomic_add(block, 1L, 0);
    shmem_atomic_inc(&counter, 0);
  }
  shmem_barrier_all();
  if (acre::rank() == 0) CHECK(*block == 200L * shmem_n_pes() && counter == 100L * shmem_n_pes());

  static std::complex<double> sum[2], mine_of_both[2]{{1, 2}, {0, 1}};
  shmem_complexd_sum_reduce(SHMEM_TEAM_WORLD, sum, mine_of_both, 2);
  CHECK(sum[0] == std::complex<double>(shmem_n_pes(), 2 * shmem_n_pes()));

  acre::hash_map<int, int> entries(acre::world(), 1000);
  entries.insert(shmem_my_pe(), 1);
  shmem_barrier_all();
  CHECK(entries.contains(static_cast<int>(next)));
  acre::deallocate_symmetric(theirs);
  shmem_free(block);
  shmem_finalize();
  return 0;
}
