/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for another PE's write: a token circulates in a ring. */
#include <shmem.h>
#include <stdio.h>

enum { rounds = 20 };

static int ball;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const int next = (me + 1) % pes;
  for (int round = 1; round <= rounds; ++round) {
    if (me == 0) shmem_int_p(&ball, round, next);
    shmem_int_wait_until(&ball, SHMEM_CMP_GE, round);
    if (ball != round) {
      fprintf(stderr, "PE %d: ball %d in round %d\n", me, ball, round);
      shmem_global_exit(1);
    }
    if (me != 0) shmem_int_p(&ball, round, next);
  }
  if (me == 0) printf("the ball came back %d times\n", rounds);
  shmem_finalize();
  return 0;
}
