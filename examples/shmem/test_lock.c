/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes a lock only if it is free. */
#include <shmem.h>
#include <stdio.h>

static long piano;
static int players, most_players, songs;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  long walks = 0;
  for (int played = 0; played < 10;) {
    if (shmem_test_lock(&piano) != 0) {
      ++walks;
      continue;
    }
    if (shmem_int_atomic_fetch_inc(&players, 0) != 0) shmem_int_atomic_set(&most_players, 2, 0);
    shmem_int_atomic_inc(&songs, 0);
    shmem_int_atomic_add(&players, -1, 0);
    shmem_clear_lock(&piano);
    ++played;
  }
  printf("PE %d played, and went for %ld walks\n", me, walks);
  shmem_barrier_all();
  if (me == 0 && (most_players != 0 || songs != 10 * shmem_n_pes())) {
    fprintf(stderr, "%d songs, and two played at once\n", songs);
    shmem_global_exit(1);
  }
  shmem_finalize();
  return 0;
}
