/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics of every type on one variable, concurrently and in turn. */
#include "check.h"

#include <shmem.h>
#include <string.h>

enum { rounds = 30 };

#define OBJECT(NAME, TYPE, A) static TYPE word_##NAME;
ACRE_SHMEM_EXTENDED_AMO_TYPES(OBJECT, )

#define EXTENDED(NAME, TYPE, A)                                                              \
  static void test_extended_##NAME(shmem_ctx_t ctx) {                                        \
    const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();                           \
    TYPE before = 0;                                                                         \
    shmem_barrier_all();                                                                     \
    shmem_##NAME##_atomic_set(&word_##NAME, (TYPE)(me + 1), next);                           \
    shmem_quiet();                                                                           \
    CHECK(shmem_##NAME##_atomic_fetch(&word_##NAME, next) == (TYPE)(me + 1));                \
    CHECK(shmem_##NAME##_atomic_swap(&word_##NAME, (TYPE)(me + 2), next) == (TYPE)(me + 1)); \
    shmem_ctx_##NAME##_atomic_set(ctx, &word_##NAME, (TYPE)(me + 3), next);                  \
    shmem_ctx_quiet(ctx);                                                                    \
    shmem_ctx_##NAME##_atomic_swap_nbi(ctx, &before, &word_##NAME, (TYPE)(me + 4), next);    \
    shmem_ctx_quiet(ctx);                                                                    \
    CHECK(before == (TYPE)(me + 3));                                                         \
    shmem_##NAME##_atomic_fetch_nbi(&before, &word_##NAME, next);                            \
    shmem_quiet();                                                                           \
    CHECK(before == (TYPE)(me + 4));                                                         \
    shmem_barrier_all();                                                                     \
    word_##NAME = 0;                                                                         \
    shmem_barrier_all();                                                                     \
  }
ACRE_SHMEM_EXTENDED_AMO_TYPES(EXTENDED, )

#define STANDARD(NAME, TYPE, A)                                                               \
  static void test_##NAME(shmem_ctx_t ctx) {                                                  \
    const int me = shmem_my_pe(), pes = shmem_n_pes();                                        \
    TYPE before = 0;                                                                          \
    shmem_barrier_all();                                                                      \
    for (int i = 0; i < rounds; ++i) {                                                        \
      for (int pe = 0; pe < pes; ++pe) {                                                      \
        shmem_##NAME##_atomic_inc(&word_##NAME, pe);                                          \
        shmem_ctx_##NAME##_atomic_add(ctx, &word_##NAME, 2, pe);                              \
        (void)shmem_##NAME##_atomic_fetch_inc(&word_##NAME, pe);                              \
        (void)shmem_ctx_##NAME##_atomic_fetch_add(ctx, &word_##NAME, 3, pe);                  \
        shmem_##NAME##_atomic_fetch_inc_nbi(&before, &word_##NAME, pe);                       \
        shmem_##NAME##_atomic_fetch_add_nbi(&before, &word_##NAME, 4, pe);                    \
        TYPE seen = shmem_##NAME##_atomic_fetch(&word_##NAME, pe);                            \
        for (;;) {                                                                            \
          const TYPE was =                                                                    \
              shmem_##NAME##_atomic_compare_swap(&word_##NAME, seen, (TYPE)(seen + 5), pe);   \
          if (was == seen) break;                                                             \
          seen = was;                                                                         \
        }                                                                                     \
      }                                                                                       \
    }                                                                                         \
    shmem_barrier_all();                                                                      \
    CHECK(word_##NAME == (TYPE)(rounds * pes * (1 + 2 + 1 + 3 + 1 + 4 + 5)));                 \
    shmem_##NAME##_atomic_compare_swap_nbi(&before, &word_##NAME, (TYPE)~word_##NAME, 0, me); \
    shmem_quiet();                                                                            \
    CHECK(before == word_##NAME);                                                             \
    shmem_barrier_all();                                                                      \
    word_##NAME = 0;                                                                          \
    shmem_barrier_all();                                                                      \
  }
ACRE_SHMEM_AMO_TYPES(STANDARD, )

#define BITWISE(NAME, TYPE, A)                                                              \
  static void test_bits_##NAME(shmem_ctx_t ctx) {                                           \
    const int me = shmem_my_pe(), pes = shmem_n_pes();                                      \
    const TYPE mine = (TYPE)((TYPE)1 << me);                                                \
    TYPE before = 0;                                                                        \
    shmem_barrier_all();                                                                    \
    for (int pe = 0; pe < pes; ++pe) {                                                      \
      shmem_##NAME##_atomic_or(&word_##NAME, mine, pe);                                     \
      CHECK((shmem_##NAME##_atomic_fetch_xor(&word_##NAME, mine, pe) & mine) != 0);         \
      CHECK((shmem_ctx_##NAME##_atomic_fetch_or(ctx, &word_##NAME, mine, pe) & mine) == 0); \
      shmem_ctx_##NAME##_atomic_fetch_and_nbi(ctx, &before, &word_##NAME, (TYPE)~mine, pe); \
      shmem_ctx_quiet(ctx);                                                                 \
      CHECK((before & mine) != 0);                                                          \
      shmem_##NAME##_atomic_xor(&word_##NAME, mine, pe);                                    \
    }                                                                                       \
    shmem_barrier_all();                                                                    \
    CHECK(word_##NAME == (TYPE)(((TYPE)1 << pes) - 1));                                     \
    shmem_barrier_all();                                                                    \
    shmem_##NAME##_atomic_and(&word_##NAME, (TYPE)~mine, 0);                                \
    shmem_barrier_all();                                                                    \
    if (me == 0) CHECK(word_##NAME == 0);                                                   \
    word_##NAME = 0;                                                                        \
    shmem_barrier_all();                                                                    \
  }
ACRE_SHMEM_BITWISE_TYPES(BITWISE, )

static void test_many_under_way(void) {
  enum { many = 3000 };
  static int counter;
  static int before[many];
  static char seen[many];
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  for (int i = 0; i < many; ++i) shmem_int_atomic_fetch_inc_nbi(&before[i], &counter, next);
  shmem_quiet();
  for (int i = 0; i < many; ++i) {
    CHECK(before[i] >= 0 && before[i] < many && !seen[before[i]]);
    seen[before[i]] = 1;
  }
  shmem_barrier_all();
  CHECK(counter == many);
}

int main(void) {
  shmem_init();
  shmem_ctx_t ctx;
  CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0);
#define RUN_EXTENDED(NAME, TYPE, A) test_extended_##NAME(ctx);
#define RUN(NAME, TYPE, A) test_##NAME(ctx);
#define RUN_BITS(NAME, TYPE, A) test_bits_##NAME(ctx);
  ACRE_SHMEM_EXTENDED_AMO_TYPES(RUN_EXTENDED, )
  ACRE_SHMEM_AMO_TYPES(RUN, )
  ACRE_SHMEM_BITWISE_TYPES(RUN_BITS, )
  test_many_under_way();
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
