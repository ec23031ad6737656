/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates PE numbers between teams; non-members have no number. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const int pes = shmem_n_pes();
  shmem_team_t even;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, NULL, 0, &even);

  if (even != SHMEM_TEAM_INVALID) {
    for (int member = 0; member < shmem_team_n_pes(even); ++member) {
      const int in_world = shmem_team_translate_pe(even, member, SHMEM_TEAM_WORLD);
      if (shmem_my_pe() == 0) printf("member %d is PE %d\n", member, in_world);
      if (in_world != 2 * member) shmem_global_exit(1);
    }
    for (int pe = 0; pe < pes; ++pe) {
      const int in_team = shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, even);
      if (in_team != (pe % 2 == 0 ? pe / 2 : -1)) shmem_global_exit(1);
    }
  } else if (shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, even) != -1) {
    shmem_global_exit(1);
  }
  shmem_team_destroy(even);
  shmem_finalize();
  return 0;
}
