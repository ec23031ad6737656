/* SPDX-License-Identifier: BSD-3-Clause */
/* Only shmem_query_initialized may precede shmem_init. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  int before, after;
  shmem_query_initialized(&before);
  shmem_init();
  shmem_query_initialized(&after);
  if (before != 0 || after != 1) {
    fprintf(stderr, "initialised: %d before, %d after shmem_init\n", before, after);
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
