/* SPDX-License-Identifier: BSD-3-Clause */
/* PE 0 reads progress while workers update it. */
#include <shmem.h>
#include <stdio.h>

enum { steps = 200 };

static long progress;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  if (me != 0 || pes == 1) {
    for (int i = 0; i < steps; ++i) shmem_long_atomic_inc(&progress, 0);
  }
  if (me == 0) {
    const long all = (long)steps * (pes > 1 ? pes - 1 : 1);
    long seen = 0;
    while (seen < all) {
      const long now = shmem_long_atomic_fetch(&progress, 0);
      if (now < seen || now > all) shmem_global_exit(1);
      seen = now;
    }
    printf("%ld steps are done\n", seen);
  }
  shmem_finalize();
  return 0;
}
