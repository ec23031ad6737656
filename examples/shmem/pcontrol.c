/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_pcontrol controls a profiler, here counting of puts; without one it is a no-op. */
#include <pshmem.h>
#include <shmem.h>
#include <stdio.h>

static int counts, counted;
static int box;

void shmem_pcontrol(int level, ...) { counts = level > 0; }

void shmem_int_p(int* dest, int value, int pe) {
  if (counts) ++counted;
  pshmem_int_p(dest, value, pe);
}

int main(void) {
  shmem_init();
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  pshmem_pcontrol(1); /* bypasses the profiler: no effect */
  shmem_int_p(&box, 1, next);
  shmem_pcontrol(1);
  shmem_int_p(&box, 2, next);
  shmem_int_p(&box, 3, next);
  shmem_pcontrol(0);
  shmem_int_p(&box, 4, next);
  shmem_barrier_all();
  printf("PE %d: %d of 4 puts were counted\n", shmem_my_pe(), counted);
  if (counted != 2 || box != 4) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
