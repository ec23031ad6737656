/* SPDX-License-Identifier: BSD-3-Clause */
/* Exactly the job's PEs are accessible. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const int pes = shmem_n_pes();
  for (int pe = -1; pe <= pes; ++pe) {
    const int expected = pe >= 0 && pe < pes;
    const int accessible = shmem_pe_accessible(pe) != 0;
    if (shmem_my_pe() == 0) printf("PE %d is %saccessible\n", pe, accessible ? "" : "not ");
    if (accessible != expected) shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
