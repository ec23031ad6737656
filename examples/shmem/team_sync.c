/* SPDX-License-Identifier: BSD-3-Clause */
/* Synchronises a team only; writes are visible after a quiet before it. */
#include <shmem.h>
#include <stdio.h>

static int page;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();
  const int half = (pes + 1) / 2;
  const int is_first = me < half;
  shmem_team_t team;
  shmem_team_split_2d(SHMEM_TEAM_WORLD, half, NULL, 0, &team, NULL, 0, &(shmem_team_t){0});
  const int members = shmem_team_n_pes(team);
  const int next =
      shmem_team_translate_pe(team, (shmem_team_my_pe(team) + 1) % members, SHMEM_TEAM_WORLD);
  for (int meeting = 1; meeting <= (is_first ? 50 : 5); ++meeting) {
    shmem_int_p(&page, meeting, next);
    shmem_quiet();
    shmem_team_sync(team);
    if (page != meeting) {
      fprintf(stderr, "PE %d: page %d at meeting %d\n", me, page, meeting);
      shmem_global_exit(1);
    }
    shmem_team_sync(team); /* all have read before the next write */
  }
  printf("PE %d of %d in its team has read %d pages\n", shmem_team_my_pe(team), members, page);
  shmem_team_destroy(team);
  shmem_finalize();
  return 0;
}
