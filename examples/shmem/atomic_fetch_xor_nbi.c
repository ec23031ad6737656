/* SPDX-License-Identifier: BSD-3-Clause */
/* Toggles a bit on every PE at once; the result is the parity of the number of PEs. */
#include <shmem.h>
#include <stdio.h>

enum { most = 64 };

static uint64_t coin;
static int heads, all_heads;

int main(void) {
  shmem_init();
  const int pes = shmem_n_pes() < most ? shmem_n_pes() : most;
  uint64_t before[most];
  for (int pe = 0; pe < pes; ++pe) shmem_uint64_atomic_fetch_xor_nbi(&before[pe], &coin, 1, pe);
  shmem_quiet();
  for (int pe = 0; pe < pes; ++pe) heads += (int)before[pe];
  shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &all_heads, &heads, 1);
  printf("PE %d saw %d heads\n", shmem_my_pe(), heads);
  shmem_barrier_all();
  if (coin != (uint64_t)(pes % 2) || all_heads != pes * (pes / 2)) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
