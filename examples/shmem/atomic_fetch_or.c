/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets bits; the first setter reads a clear bit. */
#include <shmem.h>
#include <stdio.h>

enum { bells = 30 };

static unsigned ringing;
static int firsts, all_firsts;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  for (int i = 0; i < bells; ++i) {
    const unsigned bell = 1U << (i + 5 * me) % bells;
    if ((shmem_uint_atomic_fetch_or(&ringing, bell, 0) & bell) == 0) ++firsts;
  }
  shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &all_firsts, &firsts, 1);
  printf("PE %d was first at %d bells\n", me, firsts);
  if (all_firsts != bells || shmem_uint_g(&ringing, 0) != (1U << bells) - 1) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
