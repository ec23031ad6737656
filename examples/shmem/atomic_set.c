/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets a variable on which its owner waits. */
#include <shmem.h>
#include <stdio.h>

enum { red, amber, green };

static int light = red;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int next = (me + 1) % shmem_n_pes();
  shmem_int_atomic_set(&light, amber, next);
  shmem_int_wait_until(&light, SHMEM_CMP_NE, red);
  shmem_barrier_all(); /* all have seen the light change from red */
  shmem_int_atomic_set(&light, green, next);
  shmem_int_wait_until(&light, SHMEM_CMP_EQ, green);
  if (shmem_int_atomic_fetch(&light, me) != green) shmem_global_exit(1);
  printf("PE %d drives\n", me);
  shmem_finalize();
  return 0;
}
