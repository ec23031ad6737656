/* SPDX-License-Identifier: BSD-3-Clause */
/* PE 0 waits for the flags of all other PEs. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  int* const flags = shmem_calloc((size_t)pes, sizeof *flags);
  int* const status = shmem_calloc((size_t)pes, sizeof *status); /* non-zero excludes a flag */
  if (me != 0) {
    shmem_int_p(&flags[me], 1, 0);
  } else {
    status[0] = 1;
    shmem_int_wait_until_all(flags, (size_t)pes, status, SHMEM_CMP_EQ, 1);
    int set = 0;
    for (int pe = 0; pe < pes; ++pe) set += flags[pe];
    printf("%d flags are set\n", set);
    if (set != pes - 1) shmem_global_exit(1);
  }
  shmem_free(status);
  shmem_free(flags);
  shmem_finalize();
  return 0;
}
