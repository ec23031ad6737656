/* SPDX-License-Identifier: BSD-3-Clause */
/* Strided exchange: source stride 2, destination stride 3. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

enum { each = 2, from_step = 2, to_step = 3 };

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const int elements = each * pes;
  int64_t* const source = shmem_malloc((size_t)(elements * from_step) * sizeof *source);
  int64_t* const dest = shmem_calloc((size_t)(elements * to_step), sizeof *dest);
  for (int i = 0; i < elements * from_step; ++i) {
    source[i] = i % from_step == 0 ? 100 * me + i / from_step : -1;
  }
  shmem_team_sync(SHMEM_TEAM_WORLD);
  shmem_int64_alltoalls(SHMEM_TEAM_WORLD, dest, source, to_step, from_step, each);
  for (int i = 0; i < elements * to_step; ++i) {
    const int place = i / to_step;
    const int64_t expected = i % to_step == 0 ? 100 * (place / each) + me * each + place % each : 0;
    if (dest[i] != expected) {
      fprintf(stderr, "PE %d: element %d is %d\n", me, i, (int)dest[i]);
      shmem_global_exit(1);
    }
  }
  if (me == 0) printf("%d elements with gaps\n", elements);
  shmem_free(dest);
  shmem_free(source);
  shmem_finalize();
  return 0;
}
