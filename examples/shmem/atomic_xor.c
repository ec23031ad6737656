/* SPDX-License-Identifier: BSD-3-Clause */
/* Parity over all PEs; PE 0 reconstructs a missing piece. */
#include <shmem.h>
#include <stdio.h>

static uint32_t piece, parity;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  piece = 0x9e3779b9U * (uint32_t)(me + 1);
  shmem_uint32_atomic_xor(&parity, piece, 0);
  shmem_barrier_all();

  if (me == 0) {
    const int lost = pes - 1;
    uint32_t found = parity;
    for (int pe = 0; pe < pes; ++pe) {
      if (pe != lost) found ^= shmem_uint32_g(&piece, pe);
    }
    printf("PE %d had %x\n", lost, found);
    if (found != 0x9e3779b9U * (uint32_t)(lost + 1)) shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
