/* SPDX-License-Identifier: BSD-3-Clause */
/* Polls for all variables that have reached their own values. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const size_t pes = (size_t)shmem_n_pes();
  long* const lift = shmem_calloc(pes, sizeof *lift);
  for (int floor = 0; floor >= -me - 1; --floor) shmem_long_p(&lift[me], floor, 0); /* descends */

  if (me == 0) {
    long* const called_to = calloc(pes, sizeof *called_to);
    int* const has_come = calloc(pes, sizeof *has_come);
    size_t* const which = calloc(pes, sizeof *which);
    for (size_t pe = 0; pe < pes; ++pe) called_to[pe] = -(long)pe - 1;
    for (size_t left = pes; left > 0;) {
      const size_t found =
          shmem_long_test_some_vector(lift, pes, which, has_come, SHMEM_CMP_LE, called_to);
      for (size_t i = 0; i < found; ++i) {
        printf("lift %zu is at %ld\n", which[i], lift[which[i]]);
        if (has_come[which[i]] || lift[which[i]] != called_to[which[i]]) shmem_global_exit(1);
        has_come[which[i]] = 1;
      }
      left -= found;
    }
    free(which);
    free(has_come);
    free(called_to);
  }
  shmem_free(lift);
  shmem_finalize();
  return 0;
}
