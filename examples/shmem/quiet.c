/* SPDX-License-Identifier: BSD-3-Clause */
/* After shmem_quiet all puts are visible to any PE; a fence orders only per PE. */
#include <shmem.h>
#include <stdio.h>

enum { rounds = 20 };

static long left_hand, right_hand;
static int told, answered;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const int left = 1 % pes, right = 2 % pes, third = pes - 1;
  for (int round = 1; round <= rounds; ++round) {
    if (me == 0) {
      shmem_long_p(&left_hand, round, left);
      shmem_long_p(&right_hand, 10L * round, right);
      shmem_quiet();
      shmem_int_p(&told, round, third);
    }
    if (me == third) {
      shmem_int_wait_until(&told, SHMEM_CMP_EQ, round);
      const long in_left = shmem_long_g(&left_hand, left);
      const long in_right = shmem_long_g(&right_hand, right);
      if (in_left != round || in_right != 10L * round) {
        fprintf(stderr, "round %d: %ld and %ld\n", round, in_left, in_right);
        shmem_global_exit(1);
      }
      shmem_int_p(&answered, round, 0);
    }
    if (me == 0) shmem_int_wait_until(&answered, SHMEM_CMP_EQ, round);
  }
  if (me == third) printf("PE %d found %d times what it was told of\n", me, rounds);
  shmem_finalize();
  return 0;
}
