/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordering by shmem_fence, and completion at the end of a context. */
#include "check.h"

#include <shmem.h>
#include <string.h>

enum { rounds = 500 };
static long data, flag, answer;
static uint64_t signal_word;
static char large[8 << 20];
static char got[sizeof large];

#define ORDERED(before, seen, expected)                                  \
  do {                                                                   \
    const int me = shmem_my_pe(), other = me % 2 == 0 ? me + 1 : me - 1; \
    data = flag = answer = 0;                                            \
    signal_word = 0;                                                     \
    shmem_barrier_all();                                                 \
    for (long i = 1; i <= rounds && other < shmem_n_pes(); ++i) {        \
      if (me % 2 == 0) {                                                 \
        before;                                                          \
        shmem_fence();                                                   \
        shmem_long_p(&flag, i, other);                                   \
        shmem_long_wait_until(&answer, SHMEM_CMP_EQ, i);                 \
      } else {                                                           \
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, i);                   \
        CHECK((long)(seen) == (expected));                               \
        shmem_long_p(&answer, i, other);                                 \
        shmem_quiet();                                                   \
      }                                                                  \
    }                                                                    \
    shmem_barrier_all();                                                 \
  } while (0)

static int all_are(const char* bytes, size_t n, char value) {
  for (size_t i = 0; i < n; ++i) {
    if (bytes[i] != value) return 0;
  }
  return 1;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  ORDERED(shmem_long_p(&data, i, other), data, i);
  ORDERED(shmem_long_atomic_set(&data, i, other), shmem_long_atomic_fetch(&data, me), i);
  ORDERED(shmem_long_atomic_add(&data, 1, other), shmem_long_atomic_fetch(&data, me), i);
  ORDERED(shmem_long_put_signal_nbi(&data, &i, 1, &signal_word, 1, SHMEM_SIGNAL_ADD, other),
          shmem_signal_fetch(&signal_word), i);
  ORDERED((shmem_long_atomic_set(&data, i, other), shmem_ctx_fence(SHMEM_CTX_DEFAULT)),
          shmem_long_atomic_fetch(&data, me), i);

  memset(large, me + 1, sizeof large);
  shmem_barrier_all();
  shmem_ctx_t ctx;
  CHECK(shmem_ctx_create(SHMEM_CTX_NOSTORE, &ctx) == 0);
  shmem_ctx_getmem_nbi(ctx, got, large, sizeof got, next);
  shmem_ctx_destroy(ctx);
  CHECK(all_are(got, sizeof got, (char)(next + 1)));

  shmem_team_t team;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team) == 0);
  CHECK(shmem_team_create_ctx(team, 0, &ctx) == 0);
  memset(got, 0, sizeof got);
  shmem_ctx_getmem_nbi(ctx, got, large, sizeof got, next);
  shmem_team_destroy(team);
  CHECK(all_are(got, sizeof got, (char)(next + 1)));

  shmem_finalize();
  return 0;
}
