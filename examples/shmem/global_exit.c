/* SPDX-License-Identifier: BSD-3-Clause */
/* Whoever finds the answer ends the job for all: the PEs search for the number whose square is
 * 1522756, and those who search in vain would never stop. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const long pes = shmem_n_pes();
  for (long i = shmem_my_pe();; i += pes) {
    if (i * i == 1522756) {
      printf("PE %d found it: %ld\n", shmem_my_pe(), i);
      shmem_global_exit(0); /* the status of the whole job */
    }
    if (i > 2000000000) return 1; /* nobody stopped this PE, though it took its time */
  }
}
