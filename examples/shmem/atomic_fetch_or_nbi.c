/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets a bit on all PEs at once and reads earlier ones. */
#include <shmem.h>
#include <stdio.h>

enum { most = 32 };

static uint32_t signatures;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes() < most ? shmem_n_pes() : most;
  const uint32_t mine = UINT32_C(1) << me;
  uint32_t before[most];
  for (int pe = 0; pe < pes; ++pe)
    shmem_uint32_atomic_fetch_or_nbi(&before[pe], &signatures, mine, pe);
  shmem_quiet();
  int firsts = 0;
  for (int pe = 0; pe < pes; ++pe) {
    if ((before[pe] & mine) != 0) shmem_global_exit(1);
    if (before[pe] == 0) ++firsts;
  }
  printf("PE %d signed %d contracts before all others\n", me, firsts);
  shmem_barrier_all();
  if (signatures != (uint32_t)((UINT64_C(1) << pes) - 1)) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
