/* SPDX-License-Identifier: BSD-3-Clause */
/* Gets from all PEs at once; data is valid after shmem_quiet. */
#include <shmem.h>
#include <stdio.h>

enum { count = 500 };

static double part[count];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  for (int i = 0; i < count; ++i) part[i] = me + 0.001 * i;
  double* const all = shmem_malloc((size_t)pes * sizeof part);
  shmem_barrier_all();

  for (int pe = 0; pe < pes; ++pe) shmem_double_get_nbi(all + pe * count, part, count, pe);
  shmem_quiet();
  for (int i = 0; i < pes * count; ++i) {
    const double expected = i / count + 0.001 * (i % count);
    if (all[i] != expected) {
      fprintf(stderr, "PE %d: element %d is %g\n", me, i, all[i]);
      shmem_global_exit(1);
    }
  }
  if (me == 0) printf("gathered %d elements\n", pes * count);
  shmem_free(all);
  shmem_finalize();
  return 0;
}
