/* SPDX-License-Identifier: BSD-3-Clause */
/* Polls until all variables are set. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  int* const votes = shmem_calloc((size_t)pes, sizeof *votes);
  const int too_early = shmem_int_test_all(votes, (size_t)pes, NULL, SHMEM_CMP_GE, 3);
  for (int pe = 0; pe < pes; ++pe) shmem_int_p(&votes[me], 1 + me % 2, pe);

  long questions = 1;
  while (!shmem_int_test_all(votes, (size_t)pes, NULL, SHMEM_CMP_NE, 0)) ++questions;
  int yes = 0;
  for (int pe = 0; pe < pes; ++pe) yes += votes[pe] == 1;
  printf("PE %d asked %ld times: %d of %d are for it\n", me, questions, yes, pes);
  if (too_early || yes != (pes + 1) / 2) shmem_global_exit(1);
  shmem_barrier_all();
  shmem_free(votes);
  shmem_finalize();
  return 0;
}
