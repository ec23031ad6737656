/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric objects: global, function-static, heap. */
#include <shmem.h>
#include <stdio.h>

double temperature = 20.5;

int main(void) {
  static int year;
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const int next = (me + 1) % pes, previous = (me + pes - 1) % pes;
  long* const distance = shmem_malloc(sizeof *distance);

  const double mild = shmem_double_g(&temperature, next);
  shmem_barrier_all(); /* all have read the variables */
  shmem_double_p(&temperature, mild + me, next);
  shmem_int_p(&year, 2000 + me, next);
  shmem_long_p(distance, 1000L * me, next);
  shmem_barrier_all();

  printf("PE %d: %g degrees in %d, after %ld km\n", me, temperature, year, *distance);
  if (temperature != 20.5 + previous || year != 2000 + previous || *distance != 1000L * previous) {
    shmem_global_exit(1);
  }
  shmem_free(distance);
  shmem_finalize();
  return 0;
}
