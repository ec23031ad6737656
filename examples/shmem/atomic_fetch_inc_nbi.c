/* SPDX-License-Identifier: BSD-3-Clause */
/* Increments several counters at once, then selects the lowest number. */
#include <shmem.h>
#include <stdio.h>

enum { counters = 3 };

static int next_number[counters];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  int numbers[counters];
  for (int i = 0; i < counters; ++i) {
    shmem_int_atomic_fetch_inc_nbi(&numbers[i], &next_number[i], i % pes);
  }
  shmem_quiet();
  int best = 0;
  for (int i = 0; i < counters; ++i) {
    if (numbers[i] < numbers[best]) best = i;
    if (numbers[i] < 0 || numbers[i] >= pes) shmem_global_exit(1);
  }
  printf("PE %d waits at counter %d with number %d\n", me, best, numbers[best]);
  shmem_barrier_all();
  for (int i = 0; i < counters; ++i) {
    if (me == i % pes && next_number[i] != pes) shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
