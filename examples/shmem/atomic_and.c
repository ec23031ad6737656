/* SPDX-License-Identifier: BSD-3-Clause */
/* Each PE clears its bit on every PE. */
#include <shmem.h>
#include <stdio.h>

static uint64_t suspects = ~UINT64_C(0);

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  for (int pe = 0; pe < pes; ++pe) {
    shmem_uint64_atomic_and(&suspects, ~(UINT64_C(1) << me), pe);
  }
  shmem_barrier_all();
  const uint64_t strangers = ~UINT64_C(0) << pes;
  if (suspects != strangers) {
    fprintf(stderr, "PE %d suspects %llx\n", me, (unsigned long long)suspects);
    shmem_global_exit(1);
  }
  if (me == 0) printf("not one of %d PEs is left\n", pes);
  shmem_finalize();
  return 0;
}
