/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM program valid in C and C++. */
#include <shmem.h>

#include <stdio.h>

static int received;

int main(void) {
  shmem_init();
  shmem_p(&received, shmem_my_pe(), (shmem_my_pe() + 1) % shmem_n_pes());
  shmem_barrier_all();
  printf("PE %d has %d\n", shmem_my_pe(), received);
  shmem_finalize();
  return 0;
}
