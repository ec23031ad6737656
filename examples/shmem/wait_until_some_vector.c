/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for counters that have reached their own limits. */
#include <shmem.h>
#include <stdio.h>

enum { boxes = 5 };

static long filled[boxes];
static long limits[boxes] = {1, 2, 4, 8, 16};

int main(void) {
  shmem_init();
  const int pes = shmem_n_pes();
  for (int box = 0; box < boxes; ++box) {
    for (int i = 0; i < limits[box]; ++i) shmem_long_atomic_inc(&filled[box], 0);
  }
  if (shmem_my_pe() == 0) {
    int is_done[boxes] = {0};
    size_t which[boxes];
    for (size_t done = 0; done < boxes;) {
      const size_t found =
          shmem_long_wait_until_some_vector(filled, boxes, which, is_done, SHMEM_CMP_GE, limits);
      if (found == 0 || done + found > boxes) shmem_global_exit(1);
      for (size_t i = 0; i < found; ++i) {
        const size_t box = which[i];
        printf("box %zu is full\n", box);
        if (is_done[box] || filled[box] < limits[box]) shmem_global_exit(1);
        is_done[box] = 1;
      }
      done += found;
    }
  }
  shmem_barrier_all();
  for (int box = 0; box < boxes; ++box) {
    if (shmem_long_g(&filled[box], 0) != pes * limits[box]) shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
