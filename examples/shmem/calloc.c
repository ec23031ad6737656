/* SPDX-License-Identifier: BSD-3-Clause */
/* Zeroed symmetric memory. */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  shmem_init();
  unsigned char* const used = shmem_malloc(4000);
  memset(used, 0xff, 4000);
  shmem_free(used);

  int* const zeros = shmem_calloc(1000, sizeof *zeros);
  for (int i = 0; i < 1000; ++i) {
    if (zeros[i] != 0) {
      fprintf(stderr, "PE %d: element %d is %d\n", shmem_my_pe(), i, zeros[i]);
      shmem_global_exit(1);
    }
  }
  if (shmem_my_pe() == 0) printf("a thousand zeros on each of %d PEs\n", shmem_n_pes());
  shmem_free(zeros);
  shmem_finalize();
  return 0;
}
