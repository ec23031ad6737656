/* SPDX-License-Identifier: BSD-3-Clause */
/* Point-to-point synchronisation in every form and type, with early and late writers; signals. */
#include "check.h"

#include <shmem.h>
#include <string.h>
#include <unistd.h>

enum { count = 6 };

#define OBJECTS(NAME, TYPE, A) \
  static TYPE one_##NAME;      \
  static TYPE many_##NAME[count];
ACRE_SHMEM_SYNC_TYPES(OBJECTS, )

#define TYPED(NAME, TYPE, A)                                                                       \
  static void test_##NAME(void) {                                                                  \
    const int me = shmem_my_pe(), pes = shmem_n_pes();                                             \
    const int next = (me + 1) % pes;                                                               \
    static const int skip_second[count] = {0, 1, 0, 0, 0, 0},                                      \
                     skip_all[count] = {1, 1, 1, 1, 1, 1};                                         \
    const TYPE values[count] = {10, 20, 30, 40, 50, 60};                                           \
    size_t found[count];                                                                           \
    one_##NAME = 0;                                                                                \
    memset(many_##NAME, 0, sizeof many_##NAME);                                                    \
    shmem_barrier_all();                                                                           \
    CHECK(!shmem_##NAME##_test(&one_##NAME, SHMEM_CMP_GT, 100));                                   \
    shmem_##NAME##_p(&one_##NAME, 7, next);                                                        \
    shmem_##NAME##_wait_until(&one_##NAME, SHMEM_CMP_EQ, 7);                                       \
    shmem_##NAME##_wait_until(&one_##NAME, SHMEM_CMP_GE, 7);                                       \
    shmem_##NAME##_wait_until(&one_##NAME, SHMEM_CMP_GT, 6);                                       \
    shmem_##NAME##_wait_until(&one_##NAME, SHMEM_CMP_LE, 7);                                       \
    shmem_##NAME##_wait_until(&one_##NAME, SHMEM_CMP_LT, 8);                                       \
    shmem_##NAME##_wait_until(&one_##NAME, SHMEM_CMP_NE, 8);                                       \
    CHECK(shmem_##NAME##_test(&one_##NAME, SHMEM_CMP_EQ, 7));                                      \
    CHECK(!shmem_##NAME##_test_all(many_##NAME, count, NULL, SHMEM_CMP_EQ, 1));                    \
    CHECK(shmem_##NAME##_test_any(many_##NAME, count, NULL, SHMEM_CMP_EQ, 99) == SIZE_MAX);        \
    CHECK(shmem_##NAME##_test_some(many_##NAME, count, found, NULL, SHMEM_CMP_EQ, 99) == 0);       \
    CHECK(shmem_##NAME##_wait_until_any(many_##NAME, count, skip_all, SHMEM_CMP_EQ, 1) ==          \
          SIZE_MAX);                                                                               \
    CHECK(shmem_##NAME##_wait_until_some(many_##NAME, 0, found, NULL, SHMEM_CMP_EQ, 1) == 0);      \
    shmem_##NAME##_wait_until_all(many_##NAME, count, skip_all, SHMEM_CMP_EQ, 1);                  \
    CHECK(shmem_##NAME##_test_all(many_##NAME, 0, NULL, SHMEM_CMP_EQ, 1));                         \
    shmem_barrier_all();                                                                           \
    shmem_##NAME##_p(&many_##NAME[3], 40, next);                                                   \
    CHECK(shmem_##NAME##_wait_until_any(many_##NAME, count, NULL, SHMEM_CMP_NE, 0) == 3);          \
    CHECK(shmem_##NAME##_wait_until_some(many_##NAME, count, found, NULL, SHMEM_CMP_EQ, 40) == 1); \
    CHECK(found[0] == 3);                                                                          \
    CHECK(shmem_##NAME##_test_any_vector(many_##NAME, count, NULL, SHMEM_CMP_EQ, values) == 3);    \
    shmem_barrier_all();                                                                           \
    for (int i = 0; i < count; ++i) {                                                              \
      if (i != 1) shmem_##NAME##_p(&many_##NAME[i], values[i], next);                              \
    }                                                                                              \
    shmem_##NAME##_wait_until_all_vector(many_##NAME, count, skip_second, SHMEM_CMP_EQ, values);   \
    CHECK(shmem_##NAME##_test_all_vector(many_##NAME, count, skip_second, SHMEM_CMP_EQ, values));  \
    CHECK(!shmem_##NAME##_test_all_vector(many_##NAME, count, NULL, SHMEM_CMP_EQ, values));        \
    CHECK(shmem_##NAME##_test_some_vector(many_##NAME, count, found, NULL, SHMEM_CMP_EQ,           \
                                          values) == count - 1);                                   \
    CHECK(found[0] == 0 && found[1] == 2 && found[4] == 5);                                        \
    CHECK(shmem_##NAME##_wait_until_some_vector(many_##NAME, count, found, skip_second,            \
                                                SHMEM_CMP_GE, values) == count - 1);               \
    CHECK(shmem_##NAME##_wait_until_any_vector(many_##NAME, 1, NULL, SHMEM_CMP_LE, values) == 0);  \
    shmem_##NAME##_wait_until_all(many_##NAME, count, skip_second, SHMEM_CMP_GT, 0);               \
                                                                                                   \
    int seen[count] = {0};                                                                         \
    for (int i = 0; i < 4 * count; ++i) {                                                          \
      ++seen[shmem_##NAME##_test_any(many_##NAME, count, skip_second, SHMEM_CMP_GT, 0)];           \
    }                                                                                              \
    for (int i = 0; i < count; ++i) CHECK(i == 1 ? seen[i] == 0 : seen[i] > 0);                    \
    shmem_barrier_all();                                                                           \
  }
ACRE_SHMEM_SYNC_TYPES(TYPED, )

#define STORED(NAME, TYPE, A)                                                       \
  {                                                                                 \
    one_##NAME = 0;                                                                 \
    shmem_barrier_all();                                                            \
    shmem_##NAME##_atomic_set(&one_##NAME, 9, (shmem_my_pe() + 1) % shmem_n_pes()); \
    shmem_##NAME##_wait_until(&one_##NAME, SHMEM_CMP_EQ, 9);                        \
    shmem_barrier_all();                                                            \
  }
static void test_atomic_stores(void) { ACRE_SHMEM_AMO_TYPES(STORED, ) }

static long old;
static short short_one;
static unsigned short ushort_one;

static void test_old_names(void) {
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  shmem_barrier_all();
  shmem_long_p(&old, 3, next);
  shmem_wait(&old, 0);
  (shmem_wait_until)(&old, SHMEM_CMP_EQ, 3);
  shmem_short_p(&short_one, 4, next);
  shmem_short_wait(&short_one, 0);
  shmem_short_wait_until(&short_one, SHMEM_CMP_EQ, 4);
  CHECK(shmem_short_test(&short_one, SHMEM_CMP_GT, 3) == 1);
  shmem_ushort_p(&ushort_one, 50000, next);
  shmem_ushort_wait_until(&ushort_one, SHMEM_CMP_GE, 50000);
  CHECK(shmem_ushort_test(&ushort_one, SHMEM_CMP_EQ, 50000) == 1);
  shmem_wait_until(&ushort_one, SHMEM_CMP_EQ, 50000);
  CHECK(shmem_test(&short_one, SHMEM_CMP_NE, 4) == 0);
  shmem_barrier_all();
}

static uint64_t signal_word;
static double data[1000];

static void test_signals(shmem_ctx_t ctx) {
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  const int next = (me + 1) % pes, previous = (me + pes - 1) % pes;
  double mine[1000];
  for (int round = 1; round <= 50; ++round) {
    for (int i = 0; i < 1000; ++i) mine[i] = me * 1000.0 + i + round;
    switch (round % 4) {
      case 0:
        shmem_double_put_signal(data, mine, 1000, &signal_word, 1, SHMEM_SIGNAL_ADD, next);
        break;
      case 1:
        shmem_ctx_double_put_signal_nbi(ctx, data, mine, 1000, &signal_word, (uint64_t)round,
                                        SHMEM_SIGNAL_SET, next);
        shmem_ctx_quiet(ctx);
        break;
      case 2:
        shmem_putmem_signal(data, mine, sizeof mine, &signal_word, 1, SHMEM_SIGNAL_ADD, next);
        break;
      default:
        shmem_ctx_put64_signal_nbi(ctx, data, mine, 1000, &signal_word, (uint64_t)round,
                                   SHMEM_SIGNAL_SET, next);
        shmem_ctx_quiet(ctx);
    }
    CHECK(shmem_signal_wait_until(&signal_word, SHMEM_CMP_GE, (uint64_t)round) == (uint64_t)round);
    CHECK(shmem_signal_fetch(&signal_word) == (uint64_t)round);
    for (int i = 0; i < 1000; ++i) CHECK(data[i] == previous * 1000.0 + i + round);
    shmem_barrier_all();
  }
}

static void test_signals_follow_data(void) {
  enum { most = 1 << 16, rounds = 60 };
  static char data[most], mine[most];
  static uint64_t seen;
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  for (int round = 1; round <= rounds; ++round) {
    const size_t bytes = round % 3 == 0 ? most : round % 3 == 1 ? 8 : 4000;
    memset(mine, round, bytes);
    shmem_putmem_signal_nbi(data, mine, bytes, &seen, 1, SHMEM_SIGNAL_ADD, next);
    shmem_signal_wait_until(&seen, SHMEM_CMP_GE, (uint64_t)round);
    for (size_t i = 0; i < bytes; ++i) CHECK(data[i] == (char)round);
    shmem_barrier_all();
  }
}

int main(void) {
  shmem_init();
  shmem_ctx_t ctx;
  CHECK(shmem_ctx_create(0, &ctx) == 0);
#define RUN(NAME, TYPE, A) test_##NAME();
  ACRE_SHMEM_SYNC_TYPES(RUN, )
  test_atomic_stores();
  test_old_names();
  test_signals(ctx);
  test_signals_follow_data();
  shmem_finalize();
  return 0;
}
