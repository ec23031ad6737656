/* SPDX-License-Identifier: BSD-3-Clause */
/* The PE that finds the answer ends the job, in which others search for ever. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const long pes = shmem_n_pes();
  for (long i = shmem_my_pe();; i += pes) {
    if (i * i == 1522756) {
      printf("PE %d found it: %ld\n", shmem_my_pe(), i);
      shmem_global_exit(0);
    }
    if (i > 2000000000) return 1;
  }
}
