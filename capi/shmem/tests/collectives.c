/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives over teams of every shape and active sets. */
#include "check.h"

#include <complex.h>
#include <shmem.h>
#include <string.h>

enum { count = 40, most_pes = 16 };

static int from[count * most_pes], to[2 * count * most_pes];
static long p_sync[SHMEM_REDUCE_SYNC_SIZE];

static void clear(shmem_team_t team) {
  memset(to, 0, sizeof to);
  shmem_team_sync(team);
}

static void test_data(shmem_team_t team) {
  const int me = shmem_team_my_pe(team), pes = shmem_team_n_pes(team);
  for (int i = 0; i < count * most_pes; ++i) from[i] = me * 10000 + i;
  for (int root = 0; root < pes; ++root) {
    clear(team);
    CHECK(shmem_int_broadcast(team, to, from, count, root) == 0);
    for (int i = 0; i < count; ++i) CHECK(to[i] == root * 10000 + i);
  }
  clear(team);
  CHECK(shmem_int_fcollect(team, to, from, count) == 0);
  for (int i = 0; i < count * pes; ++i) CHECK(to[i] == i / count * 10000 + i % count);
  clear(team);
  CHECK(shmem_int_collect(team, to, from, (size_t)me % 3) == 0);
  for (int pe = 0, at = 0; pe < pes; ++pe) {
    for (int i = 0; i < pe % 3; ++i) CHECK(to[at++] == pe * 10000 + i);
  }
  clear(team);
  CHECK(shmem_int_alltoall(team, to, from, count) == 0);
  for (int i = 0; i < count * pes; ++i) {
    CHECK(to[i] == i / count * 10000 + me * count + i % count);
  }
  clear(team);
  CHECK(shmem_int_alltoalls(team, to, from, 2, 1, count) == 0);
  for (int i = 0; i < count * pes; ++i) {
    CHECK(to[2 * i] == i / count * 10000 + me * count + i % count && to[2 * i + 1] == 0);
  }
  clear(team);
  CHECK(shmem_broadcastmem(team, to, from, 10, 0) == 0);
  CHECK(memcmp(to, to, 10) == 0 && shmem_fcollectmem(team, to, from, 4) == 0);
  for (int pe = 0; pe < pes; ++pe) CHECK(to[pe] == pe * 10000);
  shmem_team_sync(team);
}

#define CHECK_REDUCE(NAME, TYPE, OP, INITIAL, STEP)                                          \
  {                                                                                          \
    static TYPE source[count], result[count];                                                \
    for (int i = 0; i < count; ++i) source[i] = (TYPE)(me + i + 1);                          \
    shmem_team_sync(team);                                                                   \
    CHECK(shmem_##NAME##_##OP##_reduce(team, result, source, count) == 0);                   \
    for (int i = 0; i < count; ++i) {                                                        \
      TYPE expected = (TYPE)(i + 1);                                                         \
      for (int pe = 1; pe < pes; ++pe) {                                                     \
        const TYPE next = (TYPE)(pe + i + 1);                                                \
        expected = (TYPE)(STEP);                                                             \
      }                                                                                      \
      CHECK(result[i] == expected);                                                          \
    }                                                                                        \
    CHECK(shmem_##NAME##_##OP##_reduce(team, source, source, count) == 0);                   \
    CHECK(memcmp(source, result, sizeof(TYPE)) == 0 || sizeof(TYPE) == sizeof(long double)); \
    shmem_team_sync(team);                                                                   \
  }
#define BITS(NAME, TYPE, A)                        \
  CHECK_REDUCE(NAME, TYPE, and, 0, expected& next) \
  CHECK_REDUCE(NAME, TYPE, or, 0, expected | next) \
  CHECK_REDUCE(NAME, TYPE, xor, 0, expected ^ next)
#define ORDER(NAME, TYPE, A)                                          \
  CHECK_REDUCE(NAME, TYPE, min, 0, expected < next ? expected : next) \
  CHECK_REDUCE(NAME, TYPE, max, 0, expected > next ? expected : next)
#define SUM(NAME, TYPE, A) CHECK_REDUCE(NAME, TYPE, sum, 0, expected + next)
#define PROD(NAME, TYPE, A) CHECK_REDUCE(NAME, TYPE, prod, 0, expected* next)

static void test_reductions(shmem_team_t team) {
  const int me = shmem_team_my_pe(team), pes = shmem_team_n_pes(team);
  ACRE_SHMEM_BITS_REDUCE_TYPES(BITS, )
  ACRE_SHMEM_ORDER_REDUCE_TYPES(ORDER, )
  ACRE_SHMEM_SUM_REDUCE_TYPES(SUM, )
  PROD(int, int, )
  PROD(ulong, unsigned long, )
  PROD(uint8, uint8_t, ) PROD(short, short, ) PROD(complexd, double complex, )
}

static void test_active_set(int start, int log_stride, int size) {
  const int me = shmem_my_pe(), step = 1 << log_stride;
  const int place = (me - start) / step;
  if (me < start || (me - start) % step != 0 || place >= size) return;
  for (int i = 0; i < count * most_pes; ++i) from[i] = place * 10000 + i;
  memset(to, 0, sizeof to);
  shmem_barrier(start, log_stride, size, p_sync);
  shmem_broadcast32(to, from, count, size - 1, start, log_stride, size, p_sync);
  for (int i = 0; i < count; ++i) CHECK(to[i] == (place == size - 1 ? 0 : (size - 1) * 10000 + i));
  shmem_sync(start, log_stride, size, p_sync);
  shmem_fcollect32(to, from, count, start, log_stride, size, p_sync);
  for (int i = 0; i < count * size; ++i) CHECK(to[i] == i / count * 10000 + i % count);
  shmem_barrier(start, log_stride, size, p_sync);
  shmem_collect64(to, from, (size_t)place % 2, start, log_stride, size, p_sync);
  for (int pe = 0, at = 0; pe < size; ++pe) {
    for (int i = 0; i < 2 * (pe % 2); ++i) CHECK(to[at++] == pe * 10000 + i);
  }
  shmem_barrier(start, log_stride, size, p_sync);
  shmem_alltoall32(to, from, count, start, log_stride, size, p_sync);
  for (int i = 0; i < count * size; ++i) {
    CHECK(to[i] == i / count * 10000 + place * count + i % count);
  }
  shmem_barrier(start, log_stride, size, p_sync);
  static double sums[4], parts[4], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  for (int i = 0; i < 4; ++i) parts[i] = place + i;
  shmem_double_sum_to_all(sums, parts, 4, start, log_stride, size, work, p_sync);
  for (int i = 0; i < 4; ++i) CHECK(sums[i] == size * (size - 1) / 2.0 + i * size);
  shmem_barrier(start, log_stride, size, p_sync);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) p_sync[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  test_data(SHMEM_TEAM_WORLD);
  test_reductions(SHMEM_TEAM_WORLD);
  test_data(SHMEM_TEAM_SHARED);

  shmem_team_t odd, backwards, x, y;
  shmem_team_config_t config = {.num_contexts = 2};
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes > 1, 2, (pes - (pes > 1) + 1) / 2, &config,
                                 SHMEM_TEAM_NUM_CONTEXTS, &odd) == 0);
  const int is_odd = pes == 1 || me % 2 == 1;
  CHECK((odd != SHMEM_TEAM_INVALID) == is_odd);
  CHECK(shmem_team_my_pe(odd) == (is_odd ? me / 2 : -1));
  if (odd != SHMEM_TEAM_INVALID) {
    CHECK(shmem_team_translate_pe(odd, shmem_team_my_pe(odd), SHMEM_TEAM_WORLD) == me);
    shmem_team_config_t got = {0};
    CHECK(shmem_team_get_config(odd, SHMEM_TEAM_NUM_CONTEXTS, &got) == 0);
    CHECK(got.num_contexts == 2);
    test_data(odd);
    test_reductions(odd);
    static int word;
    shmem_ctx_t ctx;
    shmem_team_t of;
    CHECK(shmem_team_create_ctx(odd, 0, &ctx) == 0);
    CHECK(shmem_ctx_get_team(ctx, &of) == 0 && of == odd);
    shmem_ctx_int_p(ctx, &word, me + 1, (shmem_team_my_pe(odd) + 1) % shmem_team_n_pes(odd));
    shmem_ctx_quiet(ctx);
    shmem_team_sync(odd);
    const int previous =
        (shmem_team_my_pe(odd) + shmem_team_n_pes(odd) - 1) % shmem_team_n_pes(odd);
    CHECK(word == shmem_team_translate_pe(odd, previous, SHMEM_TEAM_WORLD) + 1);
  }
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, 0, &backwards) == 0);
  CHECK(shmem_team_my_pe(backwards) == pes - 1 - me);
  test_data(backwards);
  CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 3, NULL, 0, &x, NULL, 0, &y) == 0);
  CHECK(shmem_team_my_pe(x) == me % 3 && shmem_team_my_pe(y) == me / 3);
  test_data(x);
  test_data(y);
  shmem_team_t wrong;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes + 1, NULL, 0, &wrong) != 0);
  CHECK(wrong == SHMEM_TEAM_INVALID && shmem_team_n_pes(wrong) == -1);
  shmem_team_destroy(odd);
  shmem_team_destroy(backwards);
  shmem_team_destroy(x);
  shmem_team_destroy(y);

  test_active_set(0, 0, pes);
  for (int start = 0; start < pes; ++start) {
    for (int log_stride = 0; start + (1 << log_stride) < pes; ++log_stride) {
      for (int size = 1; start + ((size - 1) << log_stride) < pes; ++size) {
        test_active_set(start, log_stride, size);
      }
    }
  }
  shmem_finalize();
  return 0;
}
