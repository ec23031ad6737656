/* SPDX-License-Identifier: BSD-3-Clause */
/* Ticket counter on PE 0: each number exactly once. */
#include <shmem.h>
#include <stdio.h>

enum { tickets_each = 50 };

static int machine;

int main(void) {
  shmem_init();
  const int all = tickets_each * shmem_n_pes();
  int* const drawn = shmem_calloc((size_t)all, sizeof *drawn);
  for (int i = 0; i < tickets_each; ++i) {
    const int ticket = shmem_int_atomic_fetch_inc(&machine, 0);
    shmem_int_atomic_inc(&drawn[ticket], 0);
  }
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    for (int i = 0; i < all; ++i) {
      if (drawn[i] != 1) {
        fprintf(stderr, "ticket %d was drawn %d times\n", i, drawn[i]);
        shmem_global_exit(1);
      }
    }
    printf("%d tickets\n", machine);
  }
  shmem_free(drawn);
  shmem_finalize();
  return 0;
}
