/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_finalize waits for all PEs and their operations. */
#include <shmem.h>
#include <stdio.h>

static int inbox;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  shmem_int_p(&inbox, 100 + me, (me + 1) % pes);
  shmem_barrier_all();
  const int letter = inbox;
  shmem_finalize();

  printf("PE %d goes home with letter %d\n", me, letter);
  return letter == 100 + (me + pes - 1) % pes ? 0 : 1;
}
