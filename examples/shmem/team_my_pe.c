/* SPDX-License-Identifier: BSD-3-Clause */
/* PE numbers in three teams. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();

  shmem_team_t backwards;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, 0, &backwards);

  printf("PE %d of %d is %d of %d who share memory, and %d from the end\n", me, pes,
         shmem_team_my_pe(SHMEM_TEAM_SHARED), shmem_team_n_pes(SHMEM_TEAM_SHARED),
         shmem_team_my_pe(backwards));
  if (shmem_team_my_pe(SHMEM_TEAM_WORLD) != me || shmem_team_n_pes(SHMEM_TEAM_WORLD) != pes ||
      shmem_team_my_pe(backwards) != pes - 1 - me || shmem_team_n_pes(backwards) != pes ||
      shmem_team_n_pes(SHMEM_TEAM_SHARED) > pes || shmem_team_my_pe(SHMEM_TEAM_INVALID) != -1 ||
      shmem_team_n_pes(SHMEM_TEAM_INVALID) != -1) {
    shmem_global_exit(1);
  }
  shmem_team_destroy(backwards);
  shmem_finalize();
  return 0;
}
