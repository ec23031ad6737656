/* SPDX-License-Identifier: BSD-3-Clause */
/* The team's last PE sends to all members, itself included. */
#include <shmem.h>
#include <stdio.h>

static long source[4], dest[4];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int root = shmem_n_pes() - 1;
  if (me == root) {
    for (int i = 0; i < 4; ++i) source[i] = 1000 + i;
  }
  shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 4, root);
  printf("PE %d heard %ld %ld %ld %ld\n", me, dest[0], dest[1], dest[2], dest[3]);
  for (int i = 0; i < 4; ++i) {
    if (dest[i] != 1000 + i) shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
