/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets this PE's bit on every PE. */
#include <shmem.h>
#include <stdio.h>

static unsigned long present;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  for (int pe = 0; pe < pes; ++pe) shmem_ulong_atomic_or(&present, 1UL << me, pe);
  shmem_ulong_wait_until(&present, SHMEM_CMP_EQ, (1UL << pes) - 1);
  for (int pe = 0; pe < pes; ++pe) {
    if ((present >> pe & 1) == 0) shmem_global_exit(1);
  }
  if (me == 0) printf("all %d are here\n", pes);
  shmem_finalize();
  return 0;
}
