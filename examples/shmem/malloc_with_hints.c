/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints for placement: atomic counters and signals. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  long* const counter = shmem_malloc_with_hints(sizeof *counter, SHMEM_MALLOC_ATOMICS_REMOTE);
  uint64_t* const flag = shmem_malloc_with_hints(sizeof *flag, SHMEM_MALLOC_SIGNAL_REMOTE);
  *counter = 0;
  *flag = 0;
  shmem_barrier_all();

  long letter = me;
  static long inbox;
  shmem_long_atomic_inc(counter, 0);
  shmem_long_put_signal(&inbox, &letter, 1, flag, 1, SHMEM_SIGNAL_SET, (me + 1) % pes);
  shmem_signal_wait_until(flag, SHMEM_CMP_EQ, 1);
  shmem_barrier_all();
  if (me == 0) printf("%ld PEs were counted\n", *counter);
  if (inbox != (me + pes - 1) % pes || (me == 0 && *counter != pes)) shmem_global_exit(1);
  shmem_free(flag);
  shmem_free(counter);
  shmem_finalize();
  return 0;
}
