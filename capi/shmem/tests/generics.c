/* SPDX-License-Identifier: BSD-3-Clause */
/* Generic routines with and without context, for every type; overloads.cpp includes this file for
 * C++. */
#include "check.h"

#include <shmem.h>
#include <string.h>

enum { count = 4, most_pes = 32 };

/* Written out: generics cannot be called inside the lists from which they select. */
#define WIDE_TYPES(X, A)    \
  X(int, int, A)            \
  X(long, long, A)          \
  X(longlong, long long, A) \
  X(uint, unsigned int, A) X(ulong, unsigned long, A) X(ulonglong, unsigned long long, A)
#define TYPES(X, A)             \
  X(float, float, A)            \
  X(double, double, A)          \
  X(longdouble, long double, A) \
  X(char, char, A)              \
  X(schar, signed char, A)      \
  X(short, short, A) X(uchar, unsigned char, A) X(ushort, unsigned short, A) WIDE_TYPES(X, A)
#define BITS_REDUCE_TYPES(X, A)       \
  X(uchar, unsigned char, A)          \
  X(ushort, unsigned short, A)        \
  X(uint, unsigned int, A)            \
  X(ulong, unsigned long, A)          \
  X(ulonglong, unsigned long long, A) \
  X(longlong, long long, A)           \
  X(int8, int8_t, A) X(int16, int16_t, A) X(int32, int32_t, A) X(int64, int64_t, A)
#define COMPLEX_TYPES(X, A) X(complexf, acre_shmem_complexf, A) X(complexd, acre_shmem_complexd, A)

#define NEIGHBOURS                                                  \
  const int me = shmem_my_pe(), pes = shmem_n_pes();                \
  const int next = (me + 1) % pes, previous = (me + pes - 1) % pes; \
  (void)me, (void)next, (void)previous

#define RMA(NAME, TYPE, A)                                                                   \
  static void rma_##NAME(shmem_ctx_t ctx) {                                                  \
    static TYPE there[count];                                                                \
    static uint64_t word;                                                                    \
    NEIGHBOURS;                                                                              \
    const TYPE mine[count] = {(TYPE)1, (TYPE)2, (TYPE)3, (TYPE)(me + 4)};                    \
    TYPE got[count];                                                                         \
    shmem_put(there, mine, 1, next);                                                         \
    shmem_put_nbi(ctx, there + 1, mine + 1, 1, next);                                        \
    shmem_p(there + 2, mine[2], next);                                                       \
    shmem_p(ctx, there + 3, mine[3], next);                                                  \
    shmem_ctx_quiet(ctx);                                                                    \
    shmem_quiet();                                                                           \
    shmem_get(ctx, got, there, 2, next);                                                     \
    shmem_get_nbi(got + 2, there + 2, 2, next);                                              \
    shmem_quiet();                                                                           \
    CHECK(memcmp(got, mine, sizeof(TYPE)) == 0 || sizeof(TYPE) > 8);                         \
    CHECK(got[3] == mine[3] && shmem_g(there + 1, next) == mine[1]);                         \
    CHECK(shmem_g(ctx, there + 2, next) == mine[2]);                                         \
    shmem_barrier_all();                                                                     \
    CHECK(there[3] == (TYPE)(previous + 4));                                                 \
    shmem_barrier_all();                                                                     \
    shmem_iput(there, mine + 2, 1, 1, 2, next);                                              \
    shmem_iput(ctx, there + 2, mine, 1, 1, 2, next);                                         \
    shmem_iget(got, there, 1, 1, 2, next);                                                   \
    shmem_iget(ctx, got + 2, there + 2, 1, 1, 2, next);                                      \
    CHECK(got[0] == mine[2] && got[1] == mine[3] && got[2] == mine[0] && got[3] == mine[1]); \
    shmem_put_signal(there, mine, 2, &word, 1, SHMEM_SIGNAL_ADD, next);                      \
    shmem_put_signal_nbi(ctx, there + 2, mine + 2, 2, &word, 1, SHMEM_SIGNAL_ADD, next);     \
    shmem_ctx_quiet(ctx);                                                                    \
    shmem_signal_wait_until(&word, SHMEM_CMP_EQ, 2);                                         \
    CHECK(there[0] == (TYPE)1 && there[3] == (TYPE)(previous + 4));                          \
    shmem_barrier_all();                                                                     \
  }
TYPES(RMA, )

#define AMO(NAME, TYPE, A)                                                   \
  static void amo_##NAME(shmem_ctx_t ctx) {                                  \
    static TYPE word;                                                        \
    NEIGHBOURS;                                                              \
    TYPE before = 0;                                                         \
    shmem_barrier_all();                                                     \
    shmem_atomic_set(&word, (TYPE)3, next);                                  \
    shmem_quiet();                                                           \
    CHECK(shmem_atomic_swap(ctx, &word, (TYPE)4, next) == 3);                \
    CHECK(shmem_atomic_compare_swap(&word, (TYPE)4, (TYPE)5, next) == 4);    \
    shmem_atomic_inc(ctx, &word, next);                                      \
    shmem_atomic_add(&word, (TYPE)2, next);                                  \
    shmem_ctx_quiet(ctx);                                                    \
    shmem_quiet();                                                           \
    CHECK(shmem_atomic_fetch_inc(&word, next) == 8);                         \
    CHECK(shmem_atomic_fetch_add(ctx, &word, (TYPE)2, next) == 9);           \
    shmem_atomic_fetch_add_nbi(&before, &word, (TYPE)1, next);               \
    shmem_quiet();                                                           \
    CHECK(before == 11);                                                     \
    shmem_atomic_fetch_inc_nbi(ctx, &before, &word, next);                   \
    shmem_ctx_quiet(ctx);                                                    \
    CHECK(before == 12 && shmem_atomic_fetch(&word, next) == 13);            \
    shmem_atomic_swap_nbi(&before, &word, (TYPE)20, next);                   \
    shmem_quiet();                                                           \
    shmem_atomic_compare_swap_nbi(&before, &word, (TYPE)20, (TYPE)30, next); \
    shmem_quiet();                                                           \
    shmem_atomic_fetch_nbi(ctx, &before, &word, next);                       \
    shmem_ctx_quiet(ctx);                                                    \
    CHECK(before == 30);                                                     \
    shmem_barrier_all();                                                     \
  }
WIDE_TYPES(AMO, )

#define BITS(NAME, TYPE, A)                                         \
  static void bits_##NAME(shmem_ctx_t ctx) {                        \
    static TYPE word;                                               \
    NEIGHBOURS;                                                     \
    TYPE before = 0;                                                \
    shmem_barrier_all();                                            \
    shmem_atomic_or(&word, (TYPE)7, next);                          \
    shmem_atomic_and(ctx, &word, (TYPE)6, next);                    \
    shmem_atomic_xor(&word, (TYPE)1, next);                         \
    shmem_quiet();                                                  \
    CHECK(shmem_atomic_fetch_or(ctx, &word, (TYPE)8, next) == 7);   \
    CHECK(shmem_atomic_fetch_and(&word, (TYPE)12, next) == 15);     \
    CHECK(shmem_atomic_fetch_xor(&word, (TYPE)4, next) == 12);      \
    shmem_atomic_fetch_or_nbi(&before, &word, (TYPE)1, next);       \
    shmem_quiet();                                                  \
    shmem_atomic_fetch_and_nbi(ctx, &before, &word, (TYPE)1, next); \
    shmem_ctx_quiet(ctx);                                           \
    CHECK(before == 9);                                             \
    shmem_atomic_fetch_xor_nbi(&before, &word, (TYPE)1, next);      \
    shmem_quiet();                                                  \
    CHECK(before == 1);                                             \
    shmem_barrier_all();                                            \
  }
WIDE_TYPES(BITS, )

#define SYNC(NAME, TYPE, A)                                                                    \
  static void sync_##NAME(void) {                                                              \
    static TYPE words[count];                                                                  \
    NEIGHBOURS;                                                                                \
    TYPE values[count] = {1, 1, 1, 1};                                                         \
    size_t found[count];                                                                       \
    for (int i = 0; i < count; ++i) shmem_p(words + i, (TYPE)1, next);                         \
    shmem_wait_until(words, SHMEM_CMP_EQ, (TYPE)1);                                            \
    shmem_wait_until_all(words, count, NULL, SHMEM_CMP_EQ, (TYPE)1);                           \
    CHECK(shmem_wait_until_any(words, count, NULL, SHMEM_CMP_EQ, (TYPE)1) < count);            \
    CHECK(shmem_wait_until_some(words, count, found, NULL, SHMEM_CMP_EQ, (TYPE)1) == 4);       \
    shmem_wait_until_all_vector(words, count, NULL, SHMEM_CMP_EQ, values);                     \
    CHECK(shmem_wait_until_any_vector(words, count, NULL, SHMEM_CMP_EQ, values) < count);      \
    CHECK(shmem_wait_until_some_vector(words, count, found, NULL, SHMEM_CMP_EQ, values) == 4); \
    CHECK(shmem_test(words, SHMEM_CMP_EQ, (TYPE)1));                                           \
    CHECK(shmem_test_all(words, count, NULL, SHMEM_CMP_EQ, (TYPE)1));                          \
    CHECK(shmem_test_any(words, count, NULL, SHMEM_CMP_EQ, (TYPE)1) < count);                  \
    CHECK(shmem_test_some(words, count, found, NULL, SHMEM_CMP_EQ, (TYPE)1) == 4);             \
    CHECK(shmem_test_all_vector(words, count, NULL, SHMEM_CMP_EQ, values));                    \
    CHECK(shmem_test_any_vector(words, count, NULL, SHMEM_CMP_EQ, values) < count);            \
    CHECK(shmem_test_some_vector(words, count, found, NULL, SHMEM_CMP_EQ, values) == 4);       \
    shmem_barrier_all();                                                                       \
  }
WIDE_TYPES(SYNC, )

#define COLLECTIVE(NAME, TYPE, A)                                                            \
  static void collective_##NAME(shmem_team_t team) {                                         \
    static TYPE to[2 * most_pes], from[most_pes];                                            \
    NEIGHBOURS;                                                                              \
    for (int i = 0; i < pes; ++i) from[i] = (TYPE)(me + i);                                  \
    shmem_barrier_all();                                                                     \
    CHECK(shmem_broadcast(team, to, from, 2, pes - 1) == 0);                                 \
    CHECK(pes == 1 || to[1] == (TYPE)pes);                                                   \
    shmem_barrier_all();                                                                     \
    CHECK(shmem_fcollect(team, to, from, 1) == 0);                                           \
    for (int i = 0; i < pes; ++i) CHECK(to[i] == (TYPE)i);                                   \
    shmem_barrier_all();                                                                     \
    CHECK(shmem_collect(team, to, from, me == 0 ? 2 : 1) == 0);                              \
    for (int i = 1; i < pes; ++i) CHECK(to[i + 1] == (TYPE)i);                               \
    shmem_barrier_all();                                                                     \
    CHECK(shmem_alltoall(team, to, from, 1) == 0);                                           \
    for (int i = 0; i < pes; ++i) CHECK(to[i] == (TYPE)(i + me));                            \
    shmem_barrier_all();                                                                     \
    CHECK(shmem_alltoalls(team, to, from, 2, 1, 1) == 0);                                    \
    for (int i = 0; i < pes; ++i) CHECK(to[2 * i] == (TYPE)(i + me));                        \
    shmem_barrier_all();                                                                     \
    CHECK(shmem_max_reduce(team, to, from, 1) == 0 && to[0] == (TYPE)(pes - 1));             \
    CHECK(shmem_min_reduce(team, to, from, 1) == 0 && to[0] == 0);                           \
    CHECK(shmem_sum_reduce(team, to, from, 1) == 0 && to[0] == (TYPE)(pes * (pes - 1) / 2)); \
    CHECK(shmem_prod_reduce(team, to, from, 1) == 0 && to[0] == 0);                          \
    shmem_barrier_all();                                                                     \
  }
TYPES(COLLECTIVE, )

#define BITS_REDUCE(NAME, TYPE, A)                                                  \
  static void bits_reduce_##NAME(shmem_team_t team) {                               \
    static TYPE to[1], from[1];                                                     \
    from[0] = (TYPE)(shmem_my_pe() == 0 ? 6 : 3);                                   \
    const TYPE others = (TYPE)(shmem_n_pes() > 1 ? 3 : 6);                          \
    shmem_barrier_all();                                                            \
    CHECK(shmem_and_reduce(team, to, from, 1) == 0 && to[0] == (TYPE)(6 & others)); \
    CHECK(shmem_or_reduce(team, to, from, 1) == 0 && to[0] == (TYPE)(6 | others));  \
    CHECK(shmem_xor_reduce(team, to, from, 1) == 0);                                \
    CHECK(to[0] == (TYPE)(shmem_n_pes() % 2 == 1 ? 6 : 5));                         \
    shmem_barrier_all();                                                            \
  }
BITS_REDUCE_TYPES(BITS_REDUCE, )

#define COMPLEX(NAME, TYPE, A)                                                             \
  static void complex_##NAME(shmem_team_t team) {                                          \
    static TYPE to[1], from[1];                                                            \
    from[0] = (TYPE)2;                                                                     \
    shmem_barrier_all();                                                                   \
    CHECK(shmem_sum_reduce(team, to, from, 1) == 0 && to[0] == (TYPE)(2 * shmem_n_pes())); \
    CHECK(shmem_prod_reduce(team, to, from, 1) == 0);                                      \
    CHECK(to[0] == (TYPE)(1L << shmem_n_pes()));                                           \
    shmem_barrier_all();                                                                   \
  }
COMPLEX_TYPES(COMPLEX, )

int main(void) {
  shmem_init();
  shmem_ctx_t ctx;
  CHECK(shmem_ctx_create(0, &ctx) == 0);
#define RUN(NAME, TYPE, TEST) TEST##_##NAME(ctx);
#define RUN_SYNC(NAME, TYPE, A) sync_##NAME();
#define RUN_OF_TEAM(NAME, TYPE, TEST) TEST##_##NAME(SHMEM_TEAM_WORLD);
  TYPES(RUN, rma)
  WIDE_TYPES(RUN, amo)
  WIDE_TYPES(RUN, bits)
  WIDE_TYPES(RUN_SYNC, )
  TYPES(RUN_OF_TEAM, collective)
  BITS_REDUCE_TYPES(RUN_OF_TEAM, bits_reduce)
  COMPLEX_TYPES(RUN_OF_TEAM, complex)
  shmem_sync(SHMEM_TEAM_WORLD);
  shmem_finalize();
  return 0;
}
