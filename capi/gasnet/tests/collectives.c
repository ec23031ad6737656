/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives in all forms, orders of synchronisation and sizes, on local memory. */
#include "check.h"

#include <gasnet_coll.h>

enum { largest = 150000, kinds = 6 };

static const size_t sizes[] = {0, 1, 12, 1000, largest};
static const int in_flags[] = {GASNET_COLL_IN_NOSYNC, GASNET_COLL_IN_MYSYNC,
                               GASNET_COLL_IN_ALLSYNC};
static const int out_flags[] = {GASNET_COLL_OUT_NOSYNC, GASNET_COLL_OUT_MYSYNC,
                                GASNET_COLL_OUT_ALLSYNC};

static gasnet_node_t me, nodes;

static unsigned char byte_at(size_t i, unsigned round, gasnet_node_t from, gasnet_node_t to) {
  return (unsigned char)(i * 7 + i / 251 + round * 31 + from * 101 + to * 17 + 1);
}

struct operation {
  unsigned kind, round;
  gasnet_node_t root;
  size_t bytes;
  unsigned char *src, *dst;
  gasnet_coll_handle_t handle;
};

static int has_many_sources(unsigned kind) { return kind >= 2 && kind <= 4; }

/* Block `to` of the source is of this node to `to`; broadcast and gather have one. */
static void fill(const struct operation* of) {
  const int per_target = of->kind == 1 || of->kind == 4;
  for (gasnet_node_t to = 0; to < (per_target ? nodes : 1); ++to) {
    for (size_t i = 0; i < of->bytes; ++i) {
      of->src[to * of->bytes + i] = byte_at(i, of->round, me, per_target ? to : 0);
    }
  }
}

static void check_block(const struct operation* of, const unsigned char* block, gasnet_node_t from,
                        gasnet_node_t to) {
  for (size_t i = 0; i < of->bytes; ++i) CHECK(block[i] == byte_at(i, of->round, from, to));
}
static void check(const struct operation* of) {
  switch (of->kind) {
    case 0:
      check_block(of, of->dst, of->root, 0);
      return;
    case 1:
      check_block(of, of->dst, of->root, me);
      return;
    case 5:
      if (me != of->root) return;
      for (size_t i = 0; i < of->bytes; ++i) {
        unsigned char sum = 0;
        for (gasnet_node_t from = 0; from < nodes; ++from) {
          sum = (unsigned char)(3 * sum + byte_at(i, of->round, from, 0));
        }
        CHECK(of->dst[i] == sum);
      }
      return;
    default:
      if (of->kind == 2 && me != of->root) return;
      for (gasnet_node_t from = 0; from < nodes; ++from) {
        check_block(of, of->dst + from * of->bytes, from, of->kind == 4 ? me : 0);
      }
  }
}

/* a op b = 3 a + b is not commutative; the first operand must not be scaled twice. */
static void triple_and_add(void* results, size_t result_count, const void* left, size_t left_count,
                           const void* right, size_t elem_size, int flags, int arg) {
  CHECK(result_count == 1 && left_count == 1 && elem_size == 1);
  CHECK(flags == GASNET_COLL_NONCOMM && arg == 42);
  *(unsigned char*)results =
      (unsigned char)(3 * *(const unsigned char*)left + *(const unsigned char*)right);
}

static void begin_nb(struct operation* of, int flags) {
  const gasnet_team_handle_t all = GASNET_TEAM_ALL;
  fill(of);
  switch (of->kind) {
    case 0:
      of->handle = gasnet_coll_broadcast_nb(all, of->dst, of->root, of->src, of->bytes, flags);
      return;
    case 1:
      of->handle = gasnet_coll_scatter_nb(all, of->dst, of->root, of->src, of->bytes, flags);
      return;
    case 2:
      of->handle = gasnet_coll_gather_nb(all, of->root, of->dst, of->src, of->bytes, flags);
      return;
    case 3:
      of->handle = gasnet_coll_gather_all_nb(all, of->dst, of->src, of->bytes, flags);
      return;
    case 4:
      of->handle = gasnet_coll_exchange_nb(all, of->dst, of->src, of->bytes, flags);
      return;
    default:
      of->handle =
          gasnet_coll_reduce_nb(all, of->root, of->dst, of->src, 0, 0, 1, of->bytes, 0, 42, flags);
  }
}

static void run_blocking(struct operation* of, int flags, int is_local) {
  const gasnet_team_handle_t all = GASNET_TEAM_ALL;
  void** const dst = calloc(nodes, sizeof *dst);
  void** const src = calloc(nodes, sizeof *src);
  dst[is_local ? 0 : me] = of->dst;
  src[is_local ? 0 : me] = of->src;
  flags |= is_local ? GASNET_COLL_LOCAL : GASNET_COLL_SINGLE;
  fill(of);
  switch (of->kind) {
    case 0:
      gasnet_coll_broadcastM(all, dst, of->root, of->src, of->bytes, flags);
      break;
    case 1:
      gasnet_coll_scatterM(all, dst, of->root, of->src, of->bytes, flags);
      break;
    case 2:
      gasnet_coll_gatherM(all, of->root, of->dst, src, of->bytes, flags);
      break;
    case 3:
      gasnet_coll_gather_allM(all, dst, src, of->bytes, flags);
      break;
    case 4:
      gasnet_coll_exchangeM(all, dst, src, of->bytes, flags);
      break;
    default:
      gasnet_coll_reduceM(all, of->root, of->dst, src, 0, 0, 1, of->bytes, 0, 42, flags);
  }
  free(dst);
  free(src);
}

static struct operation make(unsigned kind, unsigned round, size_t bytes) {
  struct operation made = {
      kind, round, round % nodes, bytes, NULL, NULL, GASNET_COLL_INVALID_HANDLE};
  made.src = malloc(bytes * nodes + 1);
  made.dst = malloc(bytes * nodes + 1);
  memset(made.dst, 0xee, bytes * nodes + 1);
  return made;
}
static void destroy(struct operation* of) {
  const int fills_all = has_many_sources(of->kind);
  CHECK(of->dst[of->bytes * (fills_all ? nodes : 1)] == 0xee || of->bytes == 0);
  free(of->src);
  free(of->dst);
}

static void all_sizes_and_flags(void) {
  unsigned round = 0;
  for (unsigned kind = 0; kind < kinds; ++kind) {
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
      for (unsigned f = 0; f < 9; ++f, ++round) {
        struct operation one = make(kind, round, sizes[s]);
        if (sizes[s] == largest && f % 4 != 0) {
          destroy(&one);
          continue;
        }
        run_blocking(&one, in_flags[f % 3] | out_flags[f / 3], (int)(round % 2));
        if (f / 3 != 0) check(&one);
        /* After OUT_NOSYNC a barrier completes the data. */
        if (f / 3 == 0) barrier();
        check(&one);
        destroy(&one);
      }
    }
  }
}

/* Several are under way; nodes complete them in different orders. */
static void several_at_once(void) {
  struct operation all[2 * kinds];
  gasnet_coll_handle_t handles[2 * kinds];
  for (unsigned i = 0; i < 2 * kinds; ++i) {
    all[i] = make(i % kinds, 1000 + i, sizes[1 + i % 4]);
    begin_nb(&all[i], in_flags[i % 3] | GASNET_COLL_OUT_MYSYNC);
  }
  for (unsigned k = 0; k < 2 * kinds; ++k) {
    const unsigned i = me % 2 == 0 ? k : 2 * kinds - 1 - k;
    if (k % 3 == 0) {
      gasnet_coll_wait_sync(all[i].handle);
    } else if (k % 3 == 1) {
      while (gasnet_coll_try_sync(all[i].handle) != GASNET_OK) gasnet_AMPoll();
    } else {
      gasnet_coll_wait_sync_all(&all[i].handle, 1);
      CHECK(all[i].handle == GASNET_COLL_INVALID_HANDLE);
    }
    check(&all[i]);
  }
  barrier();
  for (unsigned i = 0; i < 2 * kinds; ++i) {
    all[i].round += 100;
    begin_nb(&all[i], in_flags[i % 3] | GASNET_COLL_OUT_ALLSYNC);
    handles[i] = all[i].handle;
  }
  gasnet_coll_wait_sync_some(handles, 2 * kinds);
  while (gasnet_coll_try_sync_some(handles, 2 * kinds) != GASNET_OK) gasnet_AMPoll();
  while (gasnet_coll_try_sync_all(handles, 2 * kinds) != GASNET_OK) gasnet_AMPoll();
  for (unsigned i = 0; i < 2 * kinds; ++i) {
    CHECK(handles[i] == GASNET_COLL_INVALID_HANDLE);
    check(&all[i]);
    destroy(&all[i]);
  }
  barrier();
}

/* The beginning of a collective must not wait for others. */
static volatile int told;
static void tell(gasnet_token_t token) {
  (void)token;
  told = 1;
}
enum { tell_handler = 130 };

static void beginning_does_not_wait(void) {
  for (unsigned kind = 0; kind < kinds; ++kind) {
    struct operation one = make(kind, 2000 + kind, 1000);
    told = 0;
    barrier();
    if (me != 0) GASNET_BLOCKUNTIL(told);
    begin_nb(&one, GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC);
    for (gasnet_node_t node = 1; me == 0 && node < nodes; ++node) {
      CHECK(gasnet_AMRequestShort0(node, tell_handler) == GASNET_OK);
    }
    gasnet_coll_wait_sync(one.handle);
    check(&one);
    destroy(&one);
  }
}

/* Even nodes wait for the collective after the barrier, odd ones before it. */
static void barriers_advance_collectives(void) {
  const int flags[] = {GASNET_COLL_IN_NOSYNC | GASNET_COLL_OUT_NOSYNC,
                       GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC};
  for (unsigned kind = 0; kind < kinds; ++kind) {
    for (unsigned i = 0; i < 2; ++i) {
      struct operation one = make(kind, 3000 + kind, 1000);
      begin_nb(&one, flags[i]);
      if (me % 2 != 0) gasnet_coll_wait_sync(one.handle);
      barrier();
      if (me % 2 == 0) gasnet_coll_wait_sync(one.handle);
      check(&one);
      destroy(&one);
    }
  }
}

/* IN_ALLSYNC: a put that ends before its node enters is in the source. */
static void all_enter_before_data_move(void) {
  unsigned char* const mine = (unsigned char*)segment_of(me);
  unsigned char* const next = (unsigned char*)segment_of((me + 1) % nodes);
  unsigned char* const got = malloc(nodes);
  for (unsigned char round = 1; round < 40; ++round) {
    gasnet_put((me + 1) % nodes, next, &round, 1);
    gasnet_coll_gather_all(GASNET_TEAM_ALL, got, mine, 1,
                           GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC);
    for (gasnet_node_t node = 0; node < nodes; ++node) CHECK(got[node] == round);
  }
  free(got);
}

int main(void) {
  gasnet_handlerentry_t handlers[] = {{tell_handler, (void (*)())tell}};
  gasnet_coll_fn_entry_t functions[] = {{triple_and_add, GASNET_COLL_NONCOMM}};
  start(handlers, 1, GASNET_PAGESIZE);
  me = gasnet_mynode();
  nodes = gasnet_nodes();
  gasnet_coll_init(NULL, 0, functions, 1, 0);
  CHECK(gasnet_coll_team_size(GASNET_TEAM_ALL) == nodes);
  all_sizes_and_flags();
  several_at_once();
  beginning_does_not_wait();
  barriers_advance_collectives();
  all_enter_before_data_move();
  gasnet_coll_barrier_notify(GASNET_TEAM_ALL, 7, 0);
  CHECK(gasnet_coll_barrier_wait(GASNET_TEAM_ALL, 7, 0) == GASNET_OK);
  CHECK(gasnet_coll_barrier(GASNET_TEAM_ALL, 8, 0) == GASNET_OK);
  gasnet_exit(0);
}
