/* SPDX-License-Identifier: BSD-3-Clause */
/* A library routine derives team and target from a context. */
#include <shmem.h>
#include <stdio.h>

static int box = -1;

static void write_to_previous(shmem_ctx_t context, int value) {
  shmem_team_t team;
  if (shmem_ctx_get_team(context, &team) != 0) return;
  const int members = shmem_team_n_pes(team);
  shmem_ctx_int_p(context, &box, value, (shmem_team_my_pe(team) + members - 1) % members);
  shmem_ctx_quiet(context);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  const int pes = shmem_n_pes();

  write_to_previous(SHMEM_CTX_INVALID, -2);
  write_to_previous(SHMEM_CTX_DEFAULT, me);
  shmem_sync_all();
  if (box != (me + 1) % pes) shmem_global_exit(1);
  shmem_sync_all();

  shmem_team_t backwards;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, 0, &backwards);
  shmem_ctx_t context;
  if (shmem_team_create_ctx(backwards, 0, &context) != 0) shmem_global_exit(1);
  write_to_previous(context, me);
  shmem_sync_all();
  printf("PE %d got word from PE %d\n", me, box);
  if (box != (me + pes - 1) % pes) shmem_global_exit(1);
  shmem_ctx_destroy(context);
  shmem_team_destroy(backwards);
  shmem_finalize();
  return 0;
}
