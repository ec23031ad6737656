/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of every type and size, over reordered teams and active sets. */
#include "check.h"

#include <complex.h>
#include <shmem.h>
#include <string.h>

enum { count = 3, most_pes = 16 };
static long p_sync[SHMEM_SYNC_SIZE];

#define VALUE(TYPE, PE, I) ((TYPE)((PE) * 5 + (I) + 1))

#define TYPED(NAME, TYPE, A)                                                      \
  static void test_##NAME(shmem_team_t team) {                                    \
    static TYPE from[count * most_pes], to[2 * count * most_pes];                 \
    const int me = shmem_team_my_pe(team), pes = shmem_team_n_pes(team);          \
    for (int i = 0; i < count * pes; ++i) from[i] = VALUE(TYPE, me, i);           \
    shmem_team_sync(team);                                                        \
    CHECK(shmem_##NAME##_broadcast(team, to, from, count, pes - 1) == 0);         \
    for (int i = 0; i < count; ++i) CHECK(to[i] == VALUE(TYPE, pes - 1, i));      \
    shmem_team_sync(team);                                                        \
    CHECK(shmem_##NAME##_fcollect(team, to, from, count) == 0);                   \
    for (int i = 0; i < count * pes; ++i) {                                       \
      CHECK(to[i] == VALUE(TYPE, i / count, i % count));                          \
    }                                                                             \
    shmem_team_sync(team);                                                        \
    CHECK(shmem_##NAME##_collect(team, to, from, (size_t)(me % 2 + 1)) == 0);     \
    for (int pe = 0, at = 0; pe < pes; ++pe) {                                    \
      for (int i = 0; i < pe % 2 + 1; ++i) CHECK(to[at++] == VALUE(TYPE, pe, i)); \
    }                                                                             \
    shmem_team_sync(team);                                                        \
    CHECK(shmem_##NAME##_alltoall(team, to, from, count) == 0);                   \
    for (int i = 0; i < count * pes; ++i) {                                       \
      CHECK(to[i] == VALUE(TYPE, i / count, me * count + i % count));             \
    }                                                                             \
    shmem_team_sync(team);                                                        \
    memset(to, 0, sizeof to);                                                     \
    shmem_team_sync(team);                                                        \
    CHECK(shmem_##NAME##_alltoalls(team, to, from, 2, 1, count) == 0);            \
    for (int i = 0; i < count * pes; ++i) {                                       \
      CHECK(to[2 * i] == VALUE(TYPE, i / count, me * count + i % count));         \
      CHECK(to[2 * i + 1] == 0);                                                  \
    }                                                                             \
    shmem_team_sync(team);                                                        \
  }
ACRE_SHMEM_RMA_TYPES(TYPED, )

static void test_bytes(shmem_team_t team) {
  static unsigned char from[count * most_pes], to[2 * count * most_pes];
  const int me = shmem_team_my_pe(team), pes = shmem_team_n_pes(team);
  for (int i = 0; i < count * pes; ++i) from[i] = VALUE(unsigned char, me, i);
  shmem_team_sync(team);
  CHECK(shmem_broadcastmem(team, to, from, count, 0) == 0);
  CHECK(to[1] == VALUE(unsigned char, 0, 1));
  shmem_team_sync(team);
  CHECK(shmem_fcollectmem(team, to, from, count) == 0);
  CHECK(to[count * pes - 1] == VALUE(unsigned char, pes - 1, count - 1));
  shmem_team_sync(team);
  CHECK(shmem_collectmem(team, to, from, me == 0 ? 0 : 1) == 0);
  for (int pe = 1; pe < pes; ++pe) CHECK(to[pe - 1] == VALUE(unsigned char, pe, 0));
  shmem_team_sync(team);
  CHECK(shmem_alltoallmem(team, to, from, count) == 0);
  for (int pe = 0; pe < pes; ++pe) {
    CHECK(to[pe * count + 1] == VALUE(unsigned char, pe, me* count + 1));
  }
  shmem_team_sync(team);
  CHECK(shmem_alltoallsmem(team, to, from, 2, 1, count) == 0);
  for (int pe = 0; pe < pes; ++pe) {
    CHECK(to[2 * (pe * count + 1)] == VALUE(unsigned char, pe, me* count + 1));
  }
  shmem_team_sync(team);
}

static void test_team(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return;
#define RUN(NAME, TYPE, A) test_##NAME(team);
  ACRE_SHMEM_RMA_TYPES(RUN, )
  test_bytes(team);
}

struct set {
  int start, log_stride, size, place;
};
#define SET set.start, set.log_stride, set.size
#define SYNC shmem_barrier(SET, p_sync)

#define SIZED(BITS, TYPE)                                                                         \
  static void test_set##BITS(struct set set) {                                                    \
    static TYPE from[count * most_pes], to[2 * count * most_pes];                                 \
    for (int i = 0; i < count * set.size; ++i) from[i] = VALUE(TYPE, set.place, i);               \
    memset(to, 0, sizeof to);                                                                     \
    SYNC;                                                                                         \
    shmem_broadcast##BITS(to, from, count, 0, SET, p_sync);                                       \
    for (int i = 0; i < count; ++i) CHECK(to[i] == (set.place == 0 ? 0 : VALUE(TYPE, 0, i)));     \
    SYNC;                                                                                         \
    shmem_fcollect##BITS(to, from, count, SET, p_sync);                                           \
    for (int i = 0; i < count * set.size; ++i) CHECK(to[i] == VALUE(TYPE, i / count, i % count)); \
    SYNC;                                                                                         \
    shmem_collect##BITS(to, from, (size_t)(set.place % 2), SET, p_sync);                          \
    for (int i = 0; i < set.size / 2; ++i) CHECK(to[i] == VALUE(TYPE, 2 * i + 1, 0));             \
    SYNC;                                                                                         \
    shmem_alltoall##BITS(to, from, count, SET, p_sync);                                           \
    for (int i = 0; i < count * set.size; ++i) {                                                  \
      CHECK(to[i] == VALUE(TYPE, i / count, set.place * count + i % count));                      \
    }                                                                                             \
    SYNC;                                                                                         \
    shmem_alltoalls##BITS(to, from, 2, 1, count, SET, p_sync);                                    \
    for (int i = 0; i < count * set.size; ++i) {                                                  \
      CHECK(to[2 * i] == VALUE(TYPE, i / count, set.place * count + i % count));                  \
    }                                                                                             \
    shmem_sync(SET, p_sync);                                                                      \
  }
SIZED(32, int32_t)
SIZED(64, int64_t)

#define and(A, B) ((A) & (B))
#define or(A, B) ((A) | (B))
#define xor(A, B) ((A) ^ (B))
#define min(A, B) ((A) < (B) ? (A) : (B))
#define max(A, B) ((A) > (B) ? (A) : (B))
#define sum(A, B) ((A) + (B))
#define prod(A, B) ((A) * (B))
#define ONE_OR_TWO(TYPE, PE, I) ((TYPE)(((PE) + (I)) % 3 == 0 ? 2 : 1))
#define REDUCTION(NAME, TYPE, OPERATION)                                             \
  static void test_##NAME##_##OPERATION(struct set set) {                            \
    static TYPE from[count], to[count], work[count + SHMEM_REDUCE_MIN_WRKDATA_SIZE]; \
    for (int i = 0; i < count; ++i) from[i] = ONE_OR_TWO(TYPE, set.place, i);        \
    SYNC;                                                                            \
    shmem_##NAME##_##OPERATION##_to_all(to, from, count, SET, work, p_sync);         \
    for (int i = 0; i < count; ++i) {                                                \
      TYPE expected = ONE_OR_TWO(TYPE, 0, i);                                        \
      for (int pe = 1; pe < set.size; ++pe) {                                        \
        expected = (TYPE)OPERATION(expected, ONE_OR_TWO(TYPE, pe, i));               \
      }                                                                              \
      CHECK(to[i] == expected);                                                      \
    }                                                                                \
    SYNC;                                                                            \
  }
ACRE_SHMEM_OLD_REDUCTIONS(REDUCTION)

static void test_set(int start, int log_stride, int size) {
  const int distance = shmem_my_pe() - start, step = 1 << log_stride;
  if (distance < 0 || distance % step != 0 || distance / step >= size) return;
  const struct set set = {start, log_stride, size, distance / step};
  test_set32(set);
  test_set64(set);
#define RUN_REDUCTION(NAME, TYPE, OPERATION) test_##NAME##_##OPERATION(set);
  ACRE_SHMEM_OLD_REDUCTIONS(RUN_REDUCTION)
}

int main(void) {
  shmem_init();
  const int pes = shmem_n_pes();
  shmem_team_t backwards, even;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, 0, &backwards) == 0);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, NULL, 0, &even) == 0);
  test_team(SHMEM_TEAM_WORLD);
  test_team(SHMEM_TEAM_SHARED);
  test_team(backwards);
  test_team(even);
  test_set(0, 0, pes);
  test_set(pes > 1, 1, pes / 2 > 0 ? pes / 2 : 1);
  shmem_finalize();
  return 0;
}
