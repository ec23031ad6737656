/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads of each node call everything concurrently, one of them barriers. */
#include "check.h"

#include <pthread.h>

enum { ask = 200, answered = 201, ask_medium = 202, ask_long = 203 };
enum { threads = 4, rounds = 150, cells = 256, slot_bytes = 4 * cells * 8 };

static gasnet_seginfo_t* segments;
static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
static unsigned requests;
static struct {
  volatile unsigned answers;
  char apart[60];
} of_thread[threads];
static volatile int finished;

static void count_request(gasnet_token_t token, gasnet_handlerarg_t thread) {
  gasnet_hsl_lock(&lock);
  ++requests;
  gasnet_hsl_unlock(&lock);
  CHECK(gasnet_AMReplyShort1(token, answered, thread) == GASNET_OK);
}
static void count_medium(gasnet_token_t token, void* buffer, size_t bytes,
                         gasnet_handlerarg_t thread) {
  for (size_t i = 0; i < bytes; ++i) CHECK(((char*)buffer)[i] == (char)thread);
  count_request(token, thread);
}
static void count_answer(gasnet_token_t token, gasnet_handlerarg_t thread) {
  (void)token;
  __atomic_fetch_add(&of_thread[thread].answers, 1, __ATOMIC_RELAXED);
}

static char* slot(gasnet_node_t node, int thread) {
  return (char*)segments[node].addr +
         ((size_t)gasnet_mynode() * threads + (size_t)thread) * slot_bytes;
}

static void* work(void* argument) {
  const int thread = (int)(intptr_t)argument;
  const unsigned before = of_thread[thread].answers;
  unsigned asked = 0;
  char text[600];
  memset(text, thread, sizeof text);
  uint64_t mine[cells];
  uint64_t got[2 * cells];
  for (int round = 0; round < rounds; ++round) {
    const gasnet_node_t node = (gasnet_mynode() + (unsigned)(round + thread)) % gasnet_nodes();
    char* const there = slot(node, thread);
    for (int i = 0; i < 4; ++i, ++asked) {
      CHECK(gasnet_AMRequestShort1(node, ask, thread) == GASNET_OK);
    }
    CHECK(gasnet_AMRequestMedium1(node, ask_medium, text, sizeof text, thread) == GASNET_OK);
    CHECK(gasnet_AMRequestLong1(node, ask_long, text, sizeof text, there + 3 * cells * 8, thread) ==
          GASNET_OK);
    asked += 2;
    for (uint64_t i = 0; i < cells; ++i) mine[i] = (uint64_t)thread << 32 | (i + (uint64_t)round);
    gasnet_handle_t handles[8];
    for (int i = 0; i < 8; ++i) {
      handles[i] = gasnet_put_nb(node, there + i * cells, (char*)mine + i * cells, cells);
    }
    for (int i = 0; i < cells; ++i) gasnet_put_nbi_val(node, there + 8 * (cells + i), mine[i], 8);
    gasnet_wait_syncnbi_puts();
    gasnet_wait_syncnb_all(handles, 8);
    gasnet_handle_t half = gasnet_get_nb_bulk(got, node, there, sizeof mine);
    gasnet_begin_nbi_accessregion();
    gasnet_get_nbi_bulk(got + cells, node, there + sizeof mine, sizeof mine);
    gasnet_wait_syncnb(gasnet_end_nbi_accessregion());
    gasnet_wait_syncnb(half);
    CHECK(memcmp(got, mine, sizeof mine) == 0);
    CHECK(memcmp(got + cells, mine, sizeof mine) == 0);
    CHECK(gasnet_wait_syncnb_valget(gasnet_get_nb_val(node, there, 8)) == mine[0]);
    if (round % 10 == 0) GASNET_BLOCKUNTIL(of_thread[thread].answers == before + asked);
  }
  GASNET_BLOCKUNTIL(of_thread[thread].answers == before + asked);
  __atomic_fetch_add(&finished, 1, __ATOMIC_RELEASE);
  return (void*)(uintptr_t)asked;
}

static void* try_to_lock(void* unused) {
  (void)unused;
  return (void*)(intptr_t)gasnet_hsl_trylock(&lock);
}

int main(void) {
  gasnet_handlerentry_t table[] = {{ask, (void (*)())count_request},
                                   {answered, (void (*)())count_answer},
                                   {ask_medium, (void (*)())count_medium},
                                   {ask_long, (void (*)())count_medium}};
  CHECK(gasnet_init(NULL, NULL) == GASNET_OK);
  CHECK(gasnet_attach(table, 4, gasnet_nodes() * (uintptr_t)threads * slot_bytes, 0) == GASNET_OK);
  segments = malloc(gasnet_nodes() * sizeof *segments);
  CHECK(gasnet_getSegmentInfo(segments, (int)gasnet_nodes()) == GASNET_OK);

  pthread_t other;
  void* said;
  gasnet_hsl_lock(&lock);
  CHECK(pthread_create(&other, NULL, try_to_lock, NULL) == 0);
  CHECK(pthread_join(other, &said) == 0);
  CHECK((intptr_t)said == GASNET_ERR_NOT_READY);
  gasnet_hsl_unlock(&lock);

  unsigned asked = 0;
  for (int again = 0; again < 2; ++again) {
    finished = 0;
    pthread_t workers[threads];
    for (intptr_t i = 0; i < threads; ++i) {
      CHECK(pthread_create(&workers[i], NULL, work, (void*)i) == 0);
    }
    for (int phase = 0; phase < 100; ++phase) barrier();
    GASNET_BLOCKUNTIL(finished == threads);
    for (int i = 0; i < threads; ++i) {
      CHECK(pthread_join(workers[i], &said) == 0);
      asked += (unsigned)(uintptr_t)said;
    }
    barrier();
  }
  gasnet_hsl_lock(&lock);
  const unsigned heard = requests;
  gasnet_hsl_unlock(&lock);
  char* const count = (char*)segments[0].addr + 8 * gasnet_mynode();
  barrier();
  gasnet_put_val(0, count, heard, 8);
  barrier();
  if (gasnet_mynode() == 0) {
    uint64_t all = 0;
    for (gasnet_node_t i = 0; i < gasnet_nodes(); ++i) all += ((uint64_t*)segments[0].addr)[i];
    CHECK(all == (uint64_t)asked * gasnet_nodes());
  }
  barrier();
  free(segments);
  gasnet_exit(0);
}
