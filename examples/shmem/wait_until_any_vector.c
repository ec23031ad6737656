/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for any variable to reach its own value. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  int* const metres = shmem_calloc((size_t)pes, sizeof *metres);
  for (int i = 1; i <= 10 * (me + 1); ++i) shmem_int_p(&metres[me], i, 0);

  if (me == 0) {
    int* const course = calloc((size_t)pes, sizeof *course);
    int* const is_home = calloc((size_t)pes, sizeof *is_home);
    for (int pe = 0; pe < pes; ++pe) course[pe] = 10 * (pe + 1);
    for (int place = 1; place <= pes; ++place) {
      const size_t runner =
          shmem_int_wait_until_any_vector(metres, (size_t)pes, is_home, SHMEM_CMP_GE, course);
      printf("%d. PE %zu after %d m\n", place, runner, metres[runner]);
      if (is_home[runner] || metres[runner] != course[runner]) shmem_global_exit(1);
      is_home[runner] = 1;
    }
    free(is_home);
    free(course);
  }
  shmem_free(metres);
  shmem_finalize();
  return 0;
}
