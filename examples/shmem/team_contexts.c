/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts of two overlapping teams (every second and third PE) use their team's PE numbers. Common
 * members then increment a counter on the last of the thirds. */
#include <shmem.h>
#include <stdio.h>

static int from_second = -1, from_third = -1, gathered;

static shmem_ctx_t context_of(shmem_team_t team) {
  shmem_ctx_t context;
  if (shmem_team_create_ctx(team, 0, &context) != 0) return SHMEM_CTX_INVALID;
  return context;
}

static void write_to_next(shmem_ctx_t context, int* box) {
  if (context == SHMEM_CTX_INVALID) return;
  shmem_team_t team;
  shmem_ctx_get_team(context, &team);
  const int me = shmem_team_my_pe(team);
  shmem_ctx_int_p(context, box, me, (me + 1) % shmem_team_n_pes(team));
  shmem_ctx_quiet(context);
}

static void check(shmem_team_t team, int box) {
  if (team == SHMEM_TEAM_INVALID) return;
  const int members = shmem_team_n_pes(team);
  if (box != (shmem_team_my_pe(team) + members - 1) % members) {
    fprintf(stderr, "PE %d: got %d\n", shmem_my_pe(), box);
    shmem_global_exit(1);
  }
}

int main(void) {
  shmem_init();
  const int pes = shmem_n_pes();
  const shmem_team_config_t config = {.num_contexts = 1};
  shmem_team_t seconds, thirds;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, &config, SHMEM_TEAM_NUM_CONTEXTS,
                           &seconds);
  shmem_team_sync(SHMEM_TEAM_WORLD);
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 3, (pes + 2) / 3, &config, SHMEM_TEAM_NUM_CONTEXTS,
                           &thirds);
  const shmem_ctx_t second = context_of(seconds);
  const shmem_ctx_t third = context_of(thirds);

  write_to_next(second, &from_second);
  write_to_next(third, &from_third);
  shmem_sync_all();
  check(seconds, from_second);
  check(thirds, from_third);

  const int last = (pes + 2) / 3 * 3 - 3; /* world number of the team's last PE */
  if (second != SHMEM_CTX_INVALID && third != SHMEM_CTX_INVALID && last % 2 == 0) {
    const int place = shmem_team_translate_pe(thirds, shmem_team_n_pes(thirds) - 1, seconds);
    shmem_ctx_int_atomic_inc(second, &gathered, place);
    shmem_ctx_quiet(second);
  }
  shmem_sync_all();
  if (shmem_my_pe() == last) {
    printf("PE %d heard from %d members of both teams\n", last, gathered);
    if (gathered != (last % 2 == 0 ? (pes + 5) / 6 : 0)) shmem_global_exit(1);
  }

  if (second != SHMEM_CTX_INVALID) shmem_ctx_destroy(second);
  if (third != SHMEM_CTX_INVALID) shmem_ctx_destroy(third);
  shmem_team_destroy(seconds);
  shmem_team_destroy(thirds);
  shmem_finalize();
  return 0;
}
