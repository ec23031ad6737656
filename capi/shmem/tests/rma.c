/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts and gets of every type, size and form, to heap, .data and .bss of every PE. */
#include "check.h"

#include <shmem.h>
#include <string.h>

enum { count = 50 };

#define OBJECTS(NAME, TYPE, A)   \
  static TYPE bss_##NAME[count]; \
  TYPE data_##NAME[count] = {(TYPE)1, (TYPE)2};
ACRE_SHMEM_RMA_TYPES(OBJECTS, )

#define FILL(VALUES, TYPE, SEED) \
  for (int i = 0; i < count; ++i) VALUES[i] = (TYPE)((SEED) * 7 + i)
#define ARE(VALUES, TYPE, SEED, FROM, TO) \
  for (int i = FROM; i < TO; ++i) CHECK(VALUES[i] == (TYPE)((SEED) * 7 + i))

#define TYPED(NAME, TYPE, A)                                                                     \
  static void test_##NAME##_on(TYPE* where, shmem_ctx_t ctx) {                                   \
    const int me = shmem_my_pe(), pes = shmem_n_pes();                                           \
    const int next = (me + 1) % pes, previous = (me + pes - 1) % pes;                            \
    TYPE mine[count], got[count];                                                                \
    FILL(mine, TYPE, me);                                                                        \
    memset(where, 0, sizeof mine);                                                               \
    shmem_barrier_all();                                                                         \
    shmem_##NAME##_put(where, mine, count / 2, next);                                            \
    shmem_ctx_##NAME##_put_nbi(ctx, where + count / 2, mine + count / 2, count / 4, next);       \
    for (int i = count / 2 + count / 4; i < count - 1; ++i) {                                    \
      shmem_##NAME##_p(where + i, mine[i], next);                                                \
    }                                                                                            \
    shmem_ctx_##NAME##_p(ctx, where + count - 1, mine[count - 1], next);                         \
    shmem_ctx_quiet(ctx);                                                                        \
    shmem_barrier_all();                                                                         \
    ARE(where, TYPE, previous, 0, count);                                                        \
    shmem_##NAME##_get(got, where, count / 2, next);                                             \
    ARE(got, TYPE, me, 0, count / 2);                                                            \
    memset(got, 0, sizeof got);                                                                  \
    shmem_ctx_##NAME##_get_nbi(ctx, got, where, count, next);                                    \
    shmem_ctx_quiet(ctx);                                                                        \
    ARE(got, TYPE, me, 0, count);                                                                \
    CHECK(shmem_##NAME##_g(where + 3, next) == mine[3]);                                         \
    CHECK(shmem_ctx_##NAME##_g(ctx, where + 4, next) == mine[4]);                                \
    shmem_barrier_all();                                                                         \
                                                                                                 \
    memset(where, 0, sizeof mine);                                                               \
    shmem_barrier_all();                                                                         \
    shmem_##NAME##_iput(where, mine, 3, 2, count / 3, next);                                     \
    shmem_barrier_all();                                                                         \
    for (int i = 0; i < count / 3; ++i) {                                                        \
      CHECK(where[3 * i] == (TYPE)(previous * 7 + 2 * i));                                       \
      CHECK(where[3 * i + 1] == 0);                                                              \
    }                                                                                            \
    memset(got, 0, sizeof got);                                                                  \
    shmem_ctx_##NAME##_iget(ctx, got, where, 2, 3, count / 3, next);                             \
    for (int i = 0; i < count / 3; ++i) CHECK(got[2 * i] == mine[2 * i] && got[2 * i + 1] == 0); \
    shmem_barrier_all();                                                                         \
  }                                                                                              \
  static void test_##NAME(TYPE* heap, shmem_ctx_t ctx) {                                         \
    test_##NAME##_on(heap, SHMEM_CTX_DEFAULT);                                                   \
    test_##NAME##_on(bss_##NAME, ctx);                                                           \
    test_##NAME##_on(data_##NAME, ctx);                                                          \
  }
ACRE_SHMEM_RMA_TYPES(TYPED, )

#define SIZED(BITS, BYTES, A)                                               \
  static void test_##BITS(unsigned char* where) {                           \
    const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();          \
    unsigned char mine[16 * count], got[16 * count];                        \
    for (int i = 0; i < 16 * count; ++i) mine[i] = (unsigned char)(me + i); \
    shmem_barrier_all();                                                    \
    shmem_put##BITS(where, mine, count, next);                              \
    shmem_get##BITS(got, where, count, next);                               \
    CHECK(memcmp(got, mine, count* BYTES) == 0);                            \
    shmem_put##BITS##_nbi(where, mine + BYTES, count - 1, next);            \
    shmem_quiet();                                                          \
    shmem_get##BITS##_nbi(got, where, count - 1, next);                     \
    shmem_quiet();                                                          \
    CHECK(memcmp(got, mine + BYTES, (count - 1) * BYTES) == 0);             \
    shmem_iput##BITS(where, mine, 1, 2, count / 2, next);                   \
    shmem_iget##BITS(got, where, 2, 1, count / 2, next);                    \
    for (int i = 0; i < count; i += 2) {                                    \
      CHECK(memcmp(got + i * BYTES, mine + i * BYTES, BYTES) == 0);         \
    }                                                                       \
    shmem_barrier_all();                                                    \
  }
ACRE_SHMEM_SIZES(SIZED, )

static void test_mem(unsigned char* where, size_t bytes) {
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  unsigned char *mine = malloc(bytes), *got = malloc(bytes);
  for (size_t i = 0; i < bytes; ++i) mine[i] = (unsigned char)(i * 31 + (size_t)me);
  shmem_putmem(where, mine, bytes, (me + 1) % pes);
  memset(mine, 0, bytes);
  shmem_barrier_all();
  shmem_getmem(got, where, bytes, (me + 1) % pes);
  for (size_t i = 0; i < bytes; ++i) CHECK(got[i] == (unsigned char)(i * 31 + (size_t)me));
  shmem_barrier_all();
  free(mine);
  free(got);
}

int main(void) {
  shmem_init();
  shmem_ctx_t ctx;
  CHECK(shmem_ctx_create(0, &ctx) == 0);
  CHECK(data_int[0] == 1 && data_int[1] == 2);
#define RUN(NAME, TYPE, A)                           \
  {                                                  \
    TYPE* heap = shmem_malloc(count * sizeof(TYPE)); \
    CHECK(heap != NULL);                             \
    test_##NAME(heap, ctx);                          \
    shmem_free(heap);                                \
  }
  ACRE_SHMEM_RMA_TYPES(RUN, )
  unsigned char* bytes = shmem_malloc(3 << 20);
#define RUN_SIZE(BITS, BYTES, A) test_##BITS(bytes);
  ACRE_SHMEM_SIZES(RUN_SIZE, )
  test_mem(bytes, 3 << 20);
  test_mem(bytes, 1);
  shmem_putmem(bytes, NULL, 0, 0);
  shmem_free(bytes);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
