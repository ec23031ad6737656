/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts and teams of every kind: each typed routine counts PEs in the team and is complete after
 * the context's quiet. */
#include "check.h"

#include <shmem.h>
#include <string.h>

enum { count = 12 };
static uint64_t signal_word;

#define FILL(VALUES, TYPE, PE) \
  for (int i = 0; i < count; ++i) VALUES[i] = (TYPE)((PE) * 3 + i + 1)
#define ARE(VALUES, TYPE, PE) \
  for (int i = 0; i < count; ++i) CHECK(VALUES[i] == (TYPE)((PE) * 3 + i + 1))

#define RMA(NAME, TYPE, A)                                                                        \
  static void rma_##NAME(shmem_ctx_t ctx, shmem_team_t team) {                                    \
    static TYPE there[count];                                                                     \
    const int me = shmem_team_my_pe(team), pes = shmem_team_n_pes(team);                          \
    const int next = (me + 1) % pes, previous = (me + pes - 1) % pes;                             \
    TYPE mine[count], got[count];                                                                 \
    FILL(mine, TYPE, me);                                                                         \
    memset(there, 0, sizeof there);                                                               \
    signal_word = 0;                                                                              \
    shmem_team_sync(team);                                                                        \
    shmem_ctx_##NAME##_put(ctx, there, mine, 3, next);                                            \
    shmem_ctx_##NAME##_put_nbi(ctx, there + 3, mine + 3, 2, next);                                \
    shmem_ctx_##NAME##_iput(ctx, there + 5, mine + 5, 2, 2, 2, next);                             \
    shmem_ctx_##NAME##_p(ctx, &there[6], mine[6], next);                                          \
    shmem_ctx_fence(ctx);                                                                         \
    shmem_ctx_##NAME##_put_signal(ctx, there + 8, mine + 8, 2, &signal_word, 5, SHMEM_SIGNAL_SET, \
                                  next);                                                          \
    shmem_ctx_quiet(ctx);                                                                         \
    shmem_ctx_##NAME##_put_signal_nbi(ctx, there + 10, mine + 10, 2, &signal_word, 2,             \
                                      SHMEM_SIGNAL_ADD, next);                                    \
    shmem_ctx_quiet(ctx);                                                                         \
    memset(got, 0, sizeof got);                                                                   \
    shmem_ctx_##NAME##_get(ctx, got, there, 3, next);                                             \
    shmem_ctx_##NAME##_get_nbi(ctx, got + 3, there + 3, 2, next);                                 \
    shmem_ctx_##NAME##_iget(ctx, got + 5, there + 5, 2, 2, 2, next);                              \
    got[6] = shmem_ctx_##NAME##_g(ctx, &there[6], next);                                          \
    shmem_ctx_##NAME##_get_nbi(ctx, got + 8, there + 8, 4, next);                                 \
    shmem_ctx_quiet(ctx);                                                                         \
    ARE(got, TYPE, me);                                                                           \
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 7);                                       \
    shmem_team_sync(team);                                                                        \
    ARE(there, TYPE, previous);                                                                   \
    shmem_team_sync(team);                                                                        \
  }
ACRE_SHMEM_RMA_TYPES(RMA, )

#define SIZED(BITS, BYTES, A)                                                                     \
  static void sized_##BITS(shmem_ctx_t ctx, shmem_team_t team) {                                  \
    static unsigned char there[count * BYTES];                                                    \
    const int me = shmem_team_my_pe(team), next = (me + 1) % shmem_team_n_pes(team);              \
    unsigned char mine[sizeof there], got[sizeof there];                                          \
    for (size_t i = 0; i < sizeof mine; ++i) mine[i] = (unsigned char)(me * 7 + (int)i);          \
    signal_word = 0;                                                                              \
    shmem_team_sync(team);                                                                        \
    shmem_ctx_put##BITS(ctx, there, mine, 3, next);                                               \
    shmem_ctx_put##BITS##_nbi(ctx, there + 3 * BYTES, mine + 3 * BYTES, 3, next);                 \
    shmem_ctx_iput##BITS(ctx, there + 6 * BYTES, mine + 6 * BYTES, 1, 1, 2, next);                \
    shmem_ctx_put##BITS##_signal(ctx, there + 8 * BYTES, mine + 8 * BYTES, 2, &signal_word, 1,    \
                                 SHMEM_SIGNAL_ADD, next);                                         \
    shmem_ctx_put##BITS##_signal_nbi(ctx, there + 10 * BYTES, mine + 10 * BYTES, 2, &signal_word, \
                                     1, SHMEM_SIGNAL_ADD, next);                                  \
    shmem_ctx_quiet(ctx);                                                                         \
    shmem_ctx_get##BITS(ctx, got, there, 4, next);                                                \
    shmem_ctx_get##BITS##_nbi(ctx, got + 4 * BYTES, there + 4 * BYTES, 4, next);                  \
    shmem_ctx_iget##BITS(ctx, got + 8 * BYTES, there + 8 * BYTES, 1, 1, 4, next);                 \
    shmem_ctx_quiet(ctx);                                                                         \
    CHECK(memcmp(got, mine, sizeof mine) == 0);                                                   \
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 2);                                       \
    shmem_team_sync(team);                                                                        \
  }
ACRE_SHMEM_SIZES(SIZED, )

static void bytes(shmem_ctx_t ctx, shmem_team_t team) {
  static char there[3 * count];
  const int me = shmem_team_my_pe(team), next = (me + 1) % shmem_team_n_pes(team);
  char mine[sizeof there], got[sizeof there];
  memset(mine, me + 1, sizeof mine);
  signal_word = 0;
  shmem_team_sync(team);
  shmem_ctx_putmem(ctx, there, mine, count, next);
  shmem_ctx_putmem_nbi(ctx, there + count, mine, count, next);
  shmem_ctx_putmem_signal(ctx, there + 2 * count, mine, 5, &signal_word, 3, SHMEM_SIGNAL_SET, next);
  shmem_ctx_quiet(ctx);
  shmem_ctx_putmem_signal_nbi(ctx, there + 2 * count + 5, mine, count - 5, &signal_word, 1,
                              SHMEM_SIGNAL_ADD, next);
  shmem_ctx_quiet(ctx);
  shmem_ctx_getmem(ctx, got, there, count, next);
  shmem_ctx_getmem_nbi(ctx, got + count, there + count, 2 * count, next);
  shmem_ctx_quiet(ctx);
  CHECK(memcmp(got, mine, sizeof mine) == 0);
  shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 4);
  shmem_team_sync(team);
}

#define BEGIN(TYPE)                                                       \
  static TYPE word;                                                       \
  const int next = (shmem_team_my_pe(team) + 1) % shmem_team_n_pes(team); \
  TYPE before = 0;                                                        \
  word = 0;                                                               \
  shmem_team_sync(team)
#define IS(NAME, VALUE) CHECK(shmem_ctx_##NAME##_atomic_fetch(ctx, &word, next) == (VALUE))
#define BEFORE(VALUE)   \
  shmem_ctx_quiet(ctx); \
  CHECK(before == (VALUE))

#define EXTENDED(NAME, TYPE, A)                                       \
  static void extended_##NAME(shmem_ctx_t ctx, shmem_team_t team) {   \
    BEGIN(TYPE);                                                      \
    shmem_ctx_##NAME##_atomic_set(ctx, &word, 3, next);               \
    shmem_ctx_quiet(ctx);                                             \
    CHECK(shmem_ctx_##NAME##_atomic_swap(ctx, &word, 4, next) == 3);  \
    shmem_ctx_##NAME##_atomic_swap_nbi(ctx, &before, &word, 5, next); \
    BEFORE(4);                                                        \
    shmem_ctx_##NAME##_atomic_fetch_nbi(ctx, &before, &word, next);   \
    BEFORE(5);                                                        \
    IS(NAME, 5);                                                      \
    shmem_team_sync(team);                                            \
  }
ACRE_SHMEM_EXTENDED_AMO_TYPES(EXTENDED, )

#define STANDARD(NAME, TYPE, A)                                                   \
  static void standard_##NAME(shmem_ctx_t ctx, shmem_team_t team) {               \
    BEGIN(TYPE);                                                                  \
    shmem_ctx_##NAME##_atomic_inc(ctx, &word, next);                              \
    shmem_ctx_##NAME##_atomic_add(ctx, &word, 2, next);                           \
    shmem_ctx_quiet(ctx);                                                         \
    CHECK(shmem_ctx_##NAME##_atomic_fetch_inc(ctx, &word, next) == 3);            \
    CHECK(shmem_ctx_##NAME##_atomic_fetch_add(ctx, &word, 5, next) == 4);         \
    shmem_ctx_##NAME##_atomic_fetch_inc_nbi(ctx, &before, &word, next);           \
    BEFORE(9);                                                                    \
    shmem_ctx_##NAME##_atomic_fetch_add_nbi(ctx, &before, &word, 2, next);        \
    BEFORE(10);                                                                   \
    CHECK(shmem_ctx_##NAME##_atomic_compare_swap(ctx, &word, 11, 7, next) == 12); \
    CHECK(shmem_ctx_##NAME##_atomic_compare_swap(ctx, &word, 12, 7, next) == 12); \
    shmem_ctx_##NAME##_atomic_compare_swap_nbi(ctx, &before, &word, 7, 8, next);  \
    BEFORE(7);                                                                    \
    IS(NAME, 8);                                                                  \
    shmem_team_sync(team);                                                        \
  }
ACRE_SHMEM_AMO_TYPES(STANDARD, )

#define BITWISE(NAME, TYPE, A)                                                  \
  static void bits_##NAME(shmem_ctx_t ctx, shmem_team_t team) {                 \
    BEGIN(TYPE);                                                                \
    shmem_ctx_##NAME##_atomic_or(ctx, &word, 0x33, next);                       \
    shmem_ctx_##NAME##_atomic_and(ctx, &word, 0x13, next);                      \
    shmem_ctx_##NAME##_atomic_xor(ctx, &word, 0x01, next);                      \
    shmem_ctx_quiet(ctx);                                                       \
    CHECK(shmem_ctx_##NAME##_atomic_fetch_or(ctx, &word, 0x40, next) == 0x12);  \
    CHECK(shmem_ctx_##NAME##_atomic_fetch_and(ctx, &word, 0x50, next) == 0x52); \
    CHECK(shmem_ctx_##NAME##_atomic_fetch_xor(ctx, &word, 0x0f, next) == 0x50); \
    shmem_ctx_##NAME##_atomic_fetch_or_nbi(ctx, &before, &word, 0x20, next);    \
    BEFORE(0x5f);                                                               \
    shmem_ctx_##NAME##_atomic_fetch_and_nbi(ctx, &before, &word, 0x70, next);   \
    BEFORE(0x7f);                                                               \
    shmem_ctx_##NAME##_atomic_fetch_xor_nbi(ctx, &before, &word, 0x11, next);   \
    BEFORE(0x70);                                                               \
    IS(NAME, 0x61);                                                             \
    shmem_team_sync(team);                                                      \
  }
ACRE_SHMEM_BITWISE_TYPES(BITWISE, )

static void test(shmem_ctx_t ctx, shmem_team_t team) {
#define RUN_RMA(NAME, TYPE, A) rma_##NAME(ctx, team);
#define RUN_SIZED(BITS, BYTES, A) sized_##BITS(ctx, team);
#define RUN_EXTENDED(NAME, TYPE, A) extended_##NAME(ctx, team);
#define RUN_STANDARD(NAME, TYPE, A) standard_##NAME(ctx, team);
#define RUN_BITS(NAME, TYPE, A) bits_##NAME(ctx, team);
  ACRE_SHMEM_RMA_TYPES(RUN_RMA, )
  ACRE_SHMEM_SIZES(RUN_SIZED, )
  bytes(ctx, team);
  ACRE_SHMEM_EXTENDED_AMO_TYPES(RUN_EXTENDED, )
  ACRE_SHMEM_AMO_TYPES(RUN_STANDARD, )
  ACRE_SHMEM_BITWISE_TYPES(RUN_BITS, )
}

static void test_team(shmem_team_t team, long options) {
  if (team == SHMEM_TEAM_INVALID) return;
  shmem_ctx_t ctx;
  shmem_team_t of;
  CHECK(shmem_team_create_ctx(team, options, &ctx) == 0);
  CHECK(shmem_ctx_get_team(ctx, &of) == 0 && of == team);
  test(ctx, team);
  shmem_ctx_destroy(ctx);
}

int main(void) {
  int provided;
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0);
  const int me = shmem_my_pe(), pes = shmem_n_pes();

  test(SHMEM_CTX_DEFAULT, SHMEM_TEAM_WORLD);
  static const long options[] = {0, SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE,
                                 SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE};
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
    shmem_ctx_t ctx;
    CHECK(shmem_ctx_create(options[i], &ctx) == 0);
    test(ctx, SHMEM_TEAM_WORLD);
    shmem_ctx_destroy(ctx);
  }

  shmem_team_t backwards, even, row, column;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, 0, &backwards) == 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, NULL, 0, &even) == 0);
  CHECK((even != SHMEM_TEAM_INVALID) == (me % 2 == 0));
  CHECK(shmem_team_split_2d(backwards, 2, NULL, 0, &row, NULL, 0, &column) == 0);
  test_team(SHMEM_TEAM_SHARED, 0);
  test_team(backwards, SHMEM_CTX_SERIALIZED);
  test_team(even, SHMEM_CTX_PRIVATE);
  test_team(row, SHMEM_CTX_NOSTORE);
  shmem_team_destroy(backwards);
  shmem_team_destroy(even);
  shmem_team_destroy(row);
  shmem_team_destroy(column);
  shmem_finalize();
  return 0;
}
