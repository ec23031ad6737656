/* SPDX-License-Identifier: BSD-3-Clause */
/* Clears this PE's bit on all PEs and reads the old bits. */
#include <shmem.h>
#include <stdio.h>

enum { most = 64 };

static uint64_t news;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes() < most ? shmem_n_pes() : most;
  news = me % 2 == 0 ? ~UINT64_C(0) : 0;
  shmem_barrier_all();

  const uint64_t mine = UINT64_C(1) << me;
  uint64_t before[most];
  for (int pe = 0; pe < pes; ++pe) shmem_uint64_atomic_fetch_and_nbi(&before[pe], &news, ~mine, pe);
  shmem_quiet();
  int papers = 0;
  for (int pe = 0; pe < pes; ++pe) {
    const int is_new = (before[pe] & mine) != 0;
    papers += is_new;
    if (is_new != (pe % 2 == 0)) shmem_global_exit(1);
  }
  printf("PE %d has news from %d PEs\n", me, papers);
  shmem_barrier_all();
  if (news != (me % 2 == 0 && pes < most ? ~UINT64_C(0) << pes : 0)) shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
