/* SPDX-License-Identifier: BSD-3-Clause */
/* Reserves space on all PEs in one round trip, then fills it. */
#include <shmem.h>
#include <stdio.h>

enum { most = 64, parcels = 5 };

static int stored;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes() < most ? shmem_n_pes() : most;
  int* const store = shmem_malloc((size_t)pes * parcels * sizeof *store);
  int begin[most];
  for (int pe = 0; pe < pes; ++pe) {
    shmem_int_atomic_fetch_add_nbi(&begin[pe], &stored, parcels, pe);
  }
  shmem_quiet();
  const int mine[parcels] = {me, me, me, me, me};
  for (int pe = 0; pe < pes; ++pe) shmem_int_put(store + begin[pe], mine, parcels, pe);
  shmem_barrier_all();

  int sum = 0;
  for (int i = 0; i < stored; ++i) {
    sum += store[i];
    if (store[i] != store[i / parcels * parcels]) shmem_global_exit(1);
  }
  printf("PE %d has %d parcels\n", me, stored);
  if (stored != pes * parcels || sum != parcels * pes * (pes - 1) / 2) shmem_global_exit(1);
  shmem_free(store);
  shmem_finalize();
  return 0;
}
