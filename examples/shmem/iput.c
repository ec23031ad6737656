/* SPDX-License-Identifier: BSD-3-Clause */
/* Source stride 2, destination stride 3. */
#include <shmem.h>
#include <stdio.h>

static short spread[15];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const short source[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  shmem_short_iput(spread, source, 3, 2, 5, (me + 1) % shmem_n_pes());
  shmem_barrier_all();
  for (int i = 0; i < 15; ++i) {
    if (me == 0) printf("%d ", spread[i]);
    if (spread[i] != (i % 3 == 0 ? 1 + i / 3 * 2 : 0)) {
      fprintf(stderr, "PE %d: element %d is %d\n", me, i, spread[i]);
      shmem_global_exit(1);
    }
  }
  if (me == 0) printf("\n");
  shmem_finalize();
  return 0;
}
