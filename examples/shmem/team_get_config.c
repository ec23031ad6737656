/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries the number of contexts requested for a team. */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  const shmem_team_config_t wanted = {.num_contexts = 3};
  shmem_team_t team;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), &wanted, SHMEM_TEAM_NUM_CONTEXTS,
                           &team);
  shmem_team_config_t found = {.num_contexts = -1};
  if (shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &found) != 0 ||
      found.num_contexts != wanted.num_contexts) {
    fprintf(stderr, "PE %d: the team is ready for %d contexts\n", shmem_my_pe(),
            found.num_contexts);
    shmem_global_exit(1);
  }
  if (shmem_my_pe() == 0) printf("a team for %d contexts\n", found.num_contexts);
  shmem_team_destroy(team);
  shmem_finalize();
  return 0;
}
