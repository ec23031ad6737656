/* SPDX-License-Identifier: BSD-3-Clause */
/* Even PEs form a team; all PEs take part in the split. */
#include <shmem.h>
#include <stdio.h>

static int number, sum;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int evens = (shmem_n_pes() + 1) / 2;
  shmem_team_t team;
  if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, evens, NULL, 0, &team) != 0) {
    fprintf(stderr, "PE %d: no team\n", me);
    shmem_global_exit(1);
  }

  if ((team != SHMEM_TEAM_INVALID) != (me % 2 == 0)) shmem_global_exit(1);
  if (team != SHMEM_TEAM_INVALID) {
    if (shmem_team_my_pe(team) != me / 2 || shmem_team_n_pes(team) != evens) shmem_global_exit(1);
    number = me;
    shmem_int_sum_reduce(team, &sum, &number, 1);
    if (me == 0) printf("the even numbers add up to %d\n", sum);
    if (sum != evens * (evens - 1)) shmem_global_exit(1);
    shmem_team_destroy(team);
  }
  shmem_finalize();
  return 0;
}
