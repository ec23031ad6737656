/* SPDX-License-Identifier: BSD-3-Clause */
/* Read-modify-write under a lock, which prevents lost updates. */
#include <shmem.h>
#include <stdio.h>

enum { times = 20 };

static long lock; /* 0: free */
static int purse;

int main(void) {
  shmem_init();
  for (int i = 0; i < times; ++i) {
    shmem_set_lock(&lock);
    const int coins = shmem_int_g(&purse, 0);
    shmem_int_p(&purse, coins + 1, 0);
    shmem_clear_lock(&lock); /* completes the put */
  }
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    printf("%d coins\n", purse);
    if (purse != times * shmem_n_pes()) shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
