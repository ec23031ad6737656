/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes with expected messages of both libraries. Without arguments it prints the table for
 * misuse_test.py; else it makes the named mistake, on two PEs. */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int word, words[8], others[8];
static long lock, p_sync[SHMEM_SYNC_SIZE];
static uint64_t signal_word;
static struct {
  char first;
  long second;
} padded;

static int me(void) { return shmem_my_pe(); }

static void p_before_init(void) { shmem_int_p(&word, 1, 0); }
static void get_before_init(void) { shmem_int_get(words, words, 3, 0); }
static void atomic_before_init(void) { shmem_int_atomic_inc(&word, 0); }
static void malloc_before_init(void) { (void)shmem_malloc(8); }
static void free_before_init(void) { shmem_free(words); }
static void barrier_before_init(void) { shmem_barrier_all(); }
static void broadcast_before_init(void) {
  shmem_int_broadcast(SHMEM_TEAM_WORLD, words, words, 1, 0);
}
static void active_set_before_init(void) { shmem_barrier(0, 0, 1, p_sync); }
static void split_before_init(void) {
  shmem_team_t team;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team);
}
static void context_before_init(void) {
  shmem_ctx_t ctx;
  shmem_ctx_create(0, &ctx);
}
static void lock_before_init(void) { shmem_set_lock(&lock); }
static void wait_before_init(void) { shmem_int_wait_until(&word, SHMEM_CMP_EQ, 1); }
static void finalize_before_init(void) { shmem_finalize(); }
static void my_pe_before_init(void) { printf("%d", shmem_my_pe()); }
static void quiet_before_init(void) { shmem_quiet(); }

static void p_after_finalize(void) {
  shmem_finalize();
  shmem_int_p(&word, 1, 0);
}
static void g_after_finalize(void) {
  shmem_finalize();
  word = shmem_int_g(&word, 1);
}
static void malloc_after_finalize(void) {
  shmem_finalize();
  (void)shmem_malloc(8);
}
static void team_sync_after_finalize(void) {
  shmem_finalize();
  shmem_team_sync(SHMEM_TEAM_WORLD);
}
static void finalize_twice(void) {
  shmem_finalize();
  shmem_finalize();
}
static void init_twice(void) { shmem_init(); }

static void p_pe(void) { shmem_int_p(&word, 1, 2); }
static void p_negative_pe(void) { shmem_int_p(&word, 1, -1); }
static void p_large_pe(void) { shmem_int_p(&word, 1, 1 << 30); }
static void g_pe(void) { word = shmem_int_g(&word, 2); }
static void put_pe(void) { shmem_int_put(words, others, 3, 2); }
static void get_nbi_pe(void) { shmem_getmem_nbi(words, others, 3, 2); }
static void iput_pe(void) { shmem_int_iput(words, others, 1, 1, 3, -2); }
static void atomic_pe(void) { shmem_int_atomic_fetch_add(&word, 1, 2); }
static void atomic_inc_pe(void) { shmem_long_atomic_inc(&lock, -1); }
static void signal_pe(void) {
  shmem_putmem_signal(words, others, 3, &signal_word, 1, SHMEM_SIGNAL_SET, 5);
}
static shmem_team_t alone(void) {
  shmem_team_t mine, column;
  shmem_team_split_2d(SHMEM_TEAM_WORLD, 1, NULL, 0, &mine, NULL, 0, &column);
  return mine;
}
static shmem_team_t both(void) {
  shmem_team_t team;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, -1, 2, NULL, 0, &team);
  return team;
}
static void context_pe(void) {
  shmem_ctx_t ctx;
  shmem_team_create_ctx(both(), 0, &ctx);
  shmem_ctx_int_p(ctx, &word, 1, 2);
}
static void broadcast_root(void) { shmem_int_broadcast(SHMEM_TEAM_WORLD, words, others, 3, 2); }

static void p_to_stack(void) {
  int mine = 0;
  shmem_int_p(&mine, 1, 1 - me());
}
static void put_to_malloc(void) {
  int* const mine = malloc(sizeof *mine);
  shmem_int_put(mine, words, 1, 1 - me());
  free(mine);
}
static void get_from_null(void) { shmem_int_get(words, NULL, 1, 1 - me()); }
static void put_from_null(void) { shmem_int_put(words, NULL, 2, 1 - me()); }
static void put_nothing(void) { shmem_int_put(NULL, NULL, 0, 1 - me()); }
static void put_past_block(void) {
  int* const block = shmem_malloc(10 * sizeof *block);
  int mine[11] = {0};
  shmem_int_put(block, mine, 11, 1 - me());
}
static void put_past_static_data(void) { shmem_putmem(words, others, 1 << 30, 1 - me()); }
static void put_too_many(void) { shmem_int_put(words, others, SIZE_MAX / 2, 1 - me()); }
static void iget_past_block(void) {
  int* const block = shmem_malloc(10 * sizeof *block);
  int mine[5];
  shmem_int_iget(mine, block, 1, 3, 5, 1 - me());
}
static void iput_stride(void) { shmem_int_iput(words, others, 0, 1, 3, 1 - me()); }
static void iget_stride(void) { shmem_int_iget(words, others, 1, -1, 3, 1 - me()); }
static void put_onto_itself(void) { shmem_int_put(words + 1, words, 4, me()); }
static void atomic_misaligned(void) {
  shmem_long_atomic_inc((long*)(void*)(&padded.first + 1), 1 - me());
}
static void fetch_to_null(void) { shmem_int_atomic_fetch_add_nbi(NULL, &word, 1, 1 - me()); }
static void signal_in_data(void) {
  shmem_putmem_signal(&signal_word, words, 8, &signal_word, 1, SHMEM_SIGNAL_SET, 1 - me());
}
static void signal_operation(void) {
  shmem_putmem_signal(words, others, 8, &signal_word, 1, 7, 1 - me());
}

static void free_twice(void) {
  int* const block = shmem_malloc(100);
  shmem_free(block);
  shmem_free(block);
}
static void free_inside(void) {
  char* const block = shmem_malloc(100);
  shmem_free(block + 8);
}
static void free_malloc(void) { shmem_free(words); }
static void realloc_freed(void) {
  int* const block = shmem_malloc(100);
  shmem_free(block);
  (void)shmem_realloc(block, 200);
}
static void free_different(void) {
  int* const a = shmem_malloc(100);
  int* const b = shmem_malloc(100);
  shmem_free(me() == 0 ? a : b);
}
static void malloc_different(void) { (void)shmem_malloc(me() == 0 ? 100 : 200); }
static void calloc_different(void) {
  enum { most = 1 << 16 };
  const size_t count = me() == 0 ? 100 : most;
  char* block = shmem_malloc(most);
  memset(block, 1, most);
  shmem_free(block);
  block = shmem_calloc(count, 1);
  if (block[0] != 0 || memcmp(block, block + 1, most - 1) != 0) exit(1);
  memset(block, 1, most);
  block = shmem_realloc(block, count);
  if (block[0] != 1 || memcmp(block, block + 1, most - 1) != 0) exit(1);
}
static void get_constant(void) {
  static const long constants[2] = {1, 2};
  (void)shmem_long_g(&constants[me()], 1 - me());
}
static void get_from_stack(void) {
  long mine = me();
  (void)shmem_long_g(&mine, 1 - me());
}
static void put_to_freed(void) {
  long* const block = shmem_malloc(sizeof *block);
  shmem_free(block);
  shmem_long_p(block, 1, 1 - me());
}
static void finalize_alone(void) {
  if (me() == 0) exit(0);
  shmem_barrier_all();
}
static void broadcast_nothing(void) {
  long* const block = shmem_malloc(sizeof *block);
  if (shmem_long_broadcast(SHMEM_TEAM_WORLD, me() == 0 ? NULL : block, block, 0, 0) != 0) exit(1);
  shmem_iput(block, block, 0, 0, 0, 1 - me());
}
static void split_alone(void) {
  shmem_team_t self;
  if (shmem_team_split_strided(SHMEM_TEAM_WORLD, me(), 1, 1, NULL, 0, &self) != 0) exit(1);
  if (shmem_team_n_pes(self) != 1) exit(1);
  const int stride = me() == 0 ? 138385 : 19087;
  if (shmem_team_split_strided(SHMEM_TEAM_WORLD, me(), stride, 1, NULL, 0, &self) != 0) exit(1);
  if (shmem_team_n_pes(self) != 1) exit(1);
}
static void align_three(void) { exit(shmem_align(3, 10) == NULL ? 0 : 1); }
static void heap_is_full(void) {
  void* blocks[16];
  int count = 0;
  while (count < 16 && (blocks[count] = shmem_malloc(1 << 20)) != NULL) ++count;
  static int counts[2], mine[1];
  mine[0] = count;
  shmem_barrier_all();
  shmem_int_fcollect(SHMEM_TEAM_WORLD, counts, mine, 1);
  if (counts[0] != counts[1] || count < 2 || count == 16) abort();
  if (shmem_realloc(blocks[0], 8 << 20) != NULL || shmem_calloc(1 << 20, 8) != NULL) abort();
  while (count > 0) shmem_free(blocks[--count]);
  if (shmem_malloc(2 << 20) == NULL) abort();
}

static void global_exit_well(void) {
  if (me() == 1) shmem_global_exit(0);
  shmem_barrier_all();
}
static void global_exit_badly(void) {
  if (me() == 1) shmem_global_exit(3);
  shmem_barrier_all();
}

static void wait_comparison(void) { shmem_int_wait_until(&word, 9, 1); }
static void test_comparison(void) { shmem_int_test_all(words, 8, NULL, 0, 1); }
static void wait_on_stack(void) {
  int mine = 1;
  shmem_int_wait_until(&mine, SHMEM_CMP_EQ, 1);
}
static void wait_some_nowhere(void) {
  shmem_int_wait_until_some(words, 8, NULL, NULL, SHMEM_CMP_EQ, 0);
}
static void wait_no_values(void) {
  shmem_int_wait_until_all_vector(words, 8, NULL, SHMEM_CMP_EQ, NULL);
}
static void set_lock_twice(void) {
  if (me() == 0) {
    shmem_set_lock(&lock);
    shmem_set_lock(&lock);
  }
  shmem_barrier_all();
}
static void clear_anothers_lock(void) {
  if (me() == 0) shmem_set_lock(&lock);
  shmem_barrier_all();
  if (me() == 1) shmem_clear_lock(&lock);
  shmem_barrier_all();
}

static void sync_invalid_team(void) { exit(shmem_team_sync(SHMEM_TEAM_INVALID) != 0 ? 0 : 1); }
static void team_destroy_twice(void) {
  const shmem_team_t team = alone();
  shmem_team_destroy(team);
  shmem_team_destroy(team);
}
static void team_destroyed(void) {
  const shmem_team_t team = alone();
  shmem_team_destroy(team);
  shmem_team_sync(team);
}
static void team_destroy_world(void) { shmem_team_destroy(SHMEM_TEAM_WORLD); }
static void team_with_private_context(void) {
  const shmem_team_t team = alone();
  shmem_ctx_t ctx;
  shmem_team_create_ctx(team, SHMEM_CTX_PRIVATE, &ctx);
  shmem_team_destroy(team);
}
static void split_differently(void) {
  shmem_team_t team;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, me(), 1, 1, NULL, 0, &team);
}
static void split_no_config(void) {
  shmem_team_t team;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, SHMEM_TEAM_NUM_CONTEXTS, &team);
}
static void context_options(void) {
  shmem_ctx_t ctx;
  shmem_ctx_create(64, &ctx);
}
static void context_invalid(void) { shmem_ctx_int_p(SHMEM_CTX_INVALID, &word, 1, 0); }
static void context_destroyed(void) {
  shmem_ctx_t ctx;
  shmem_ctx_create(0, &ctx);
  shmem_ctx_destroy(ctx);
  shmem_ctx_quiet(ctx);
}
static void context_destroy_twice(void) {
  shmem_ctx_t ctx;
  shmem_ctx_create(0, &ctx);
  shmem_ctx_destroy(ctx);
  shmem_ctx_destroy(ctx);
}
static void context_destroy_default(void) { shmem_ctx_destroy(SHMEM_CTX_DEFAULT); }

static void* use_context(void* ctx) {
  shmem_ctx_int_p((shmem_ctx_t)ctx, &word, 1, 0);
  return NULL;
}
static void private_context(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  shmem_ctx_t ctx;
  shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx);
  pthread_t other;
  pthread_create(&other, NULL, use_context, ctx);
  pthread_join(other, NULL);
}
static void thread_level(void) {
  pthread_t other;
  pthread_create(&other, NULL, use_context, SHMEM_CTX_DEFAULT);
  pthread_join(other, NULL);
}

static void broadcast_count(void) {
  shmem_int_broadcast(SHMEM_TEAM_WORLD, words, others, me() == 0 ? 3 : 4, 0);
}
static void broadcast_roots(void) { shmem_int_broadcast(SHMEM_TEAM_WORLD, words, others, 3, me()); }
static void reduce_objects(void) {
  shmem_int_sum_reduce(SHMEM_TEAM_WORLD, me() == 0 ? words : others, &word, 1);
}
static void different_collectives(void) {
  if (me() == 0) {
    shmem_barrier_all();
  } else {
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, words, others, 1);
  }
}
static void fcollect_overlap(void) { shmem_int_fcollect(SHMEM_TEAM_WORLD, words, words + 1, 2); }
static void reduce_overlap(void) { shmem_int_max_reduce(SHMEM_TEAM_WORLD, words, words + 1, 4); }
static void alltoall_stack(void) {
  int mine[4] = {0};
  shmem_int_alltoall(SHMEM_TEAM_WORLD, words, mine, 2);
}
static void collect_past_block(void) {
  int* const block = shmem_malloc(4 * sizeof *block);
  shmem_int_collect(SHMEM_TEAM_WORLD, block, words, me() == 0 ? 2 : 3);
}
static void alltoalls_stride(void) {
  shmem_int_alltoalls(SHMEM_TEAM_WORLD, words, others, 1, 0, 2);
}
static void active_set(void) { shmem_barrier(0, 1, 2, p_sync); }
static void active_set_of_others(void) { shmem_barrier(1 - me(), 0, 1, p_sync); }
static void active_set_work(void) {
  p_sync[1] = 7;
  shmem_broadcast32(words, others, 3, 0, 0, 0, 2, p_sync);
}
static void active_set_null(void) { shmem_barrier(0, 0, 2, NULL); }

enum when { without_init, after_init };
static const char in_one_node[] = "1", in_one_and_two[] = "12";

static const char the_same[] = "the same", nothing[] = "", undefined[] = "undefined";
/* Detected by a memory fault, so the routine is unknown. */
static const char early[] = "a routine of OpenSHMEM: called before shmem_init",
                  late[] = "a routine of OpenSHMEM: called after shmem_finalize",
                  no_such_pe[] = "a routine of OpenSHMEM: pe is ",
#ifdef __x86_64__
                  negative_pe[] = "a routine of OpenSHMEM: pe is negative, but PEs are 0 to 1",
#else
                  negative_pe[] = "undefined",
#endif
                  not_symmetric[] = "a routine of OpenSHMEM: an address is not symmetric: PE ";

static const struct {
  void (*run)(void);
  const char* name;
  enum when when;
  const char* nodes;
  const char* checked;
  const char* fast;
} cases[] = {
#define CASE(NAME, WHEN, NODES, CHECKED, FAST) {NAME, #NAME, WHEN, NODES, CHECKED, FAST}
    CASE(p_before_init, without_init, in_one_node, "shmem_int_p: called before shmem_init", early),
    CASE(get_before_init, without_init, in_one_node, "shmem_int_get: called before shmem_init",
         early),
    CASE(atomic_before_init, without_init, in_one_node,
         "shmem_int_atomic_inc: called before shmem_init", early),
    CASE(malloc_before_init, without_init, in_one_node, "shmem_malloc: called before shmem_init",
         the_same),
    CASE(free_before_init, without_init, in_one_node, "shmem_free: called before shmem_init",
         the_same),
    CASE(barrier_before_init, without_init, in_one_node,
         "shmem_barrier_all: called before shmem_init", the_same),
    CASE(broadcast_before_init, without_init, in_one_node,
         "shmem_int_broadcast: called before shmem_init",
         "shmem_broadcast: called before shmem_init"),
    CASE(active_set_before_init, without_init, in_one_node,
         "shmem_barrier: called before shmem_init", the_same),
    CASE(split_before_init, without_init, in_one_node,
         "shmem_team_split_strided: called before shmem_init", the_same),
    CASE(context_before_init, without_init, in_one_node,
         "shmem_ctx_create: called before shmem_init", the_same),
    CASE(lock_before_init, without_init, in_one_node, "shmem_set_lock: called before shmem_init",
         the_same),
    CASE(wait_before_init, without_init, in_one_node,
         "shmem_int_wait_until: called before shmem_init",
         "shmem_wait_until: called before shmem_init"),
    CASE(finalize_before_init, without_init, in_one_node,
         "shmem_finalize: called before shmem_init", the_same),
    CASE(my_pe_before_init, without_init, in_one_node, "shmem_my_pe: called before shmem_init",
         nothing),
    CASE(quiet_before_init, without_init, in_one_node, "shmem_quiet: called before shmem_init",
         nothing),
    CASE(p_after_finalize, after_init, in_one_node, "shmem_int_p: called after shmem_finalize",
         late),
    CASE(g_after_finalize, after_init, in_one_node, "shmem_int_g: called after shmem_finalize",
         late),
    CASE(malloc_after_finalize, after_init, in_one_node,
         "shmem_malloc: called after shmem_finalize", the_same),
    CASE(team_sync_after_finalize, after_init, in_one_node,
         "shmem_team_sync: called after shmem_finalize", the_same),
    CASE(finalize_twice, after_init, in_one_node, "shmem_finalize: called after shmem_finalize",
         the_same),
    CASE(init_twice, after_init, in_one_node, "shmem_init: called again", nothing),
    CASE(p_pe, after_init, in_one_and_two, "shmem_int_p: pe is 2, but PEs are 0 to 1", no_such_pe),
    CASE(p_negative_pe, after_init, in_one_and_two, "shmem_int_p: pe is -1, but PEs are 0 to 1",
         negative_pe),
    CASE(p_large_pe, after_init, in_one_node, "shmem_int_p: pe is 1073741824, but", no_such_pe),
    CASE(g_pe, after_init, in_one_and_two, "shmem_int_g: pe is 2, but", no_such_pe),
    CASE(put_pe, after_init, in_one_and_two, "shmem_int_put: pe is 2, but", no_such_pe),
    CASE(get_nbi_pe, after_init, in_one_and_two, "shmem_getmem_nbi: pe is 2, but", no_such_pe),
    CASE(iput_pe, after_init, in_one_and_two, "shmem_int_iput: pe is -2, but", negative_pe),
    CASE(atomic_pe, after_init, in_one_and_two, "shmem_int_atomic_fetch_add: pe is 2, but",
         no_such_pe),
    CASE(atomic_inc_pe, after_init, in_one_and_two, "shmem_long_atomic_inc: pe is -1, but",
         negative_pe),
    CASE(signal_pe, after_init, in_one_and_two, "shmem_putmem_signal: pe is 5, but", no_such_pe),
    CASE(context_pe, after_init, in_one_node,
         "shmem_ctx_int_p: pe is 2, but PEs of the team are 0 to 1",
         "a routine with a context: pe is 2, but the context's team has 2 PEs"),
    CASE(broadcast_root, after_init, in_one_node,
         "shmem_int_broadcast: PE_root is 2, but PEs of the team are 0 to 1",
         "PE_root is 2, but the team has 2 PEs"),
    CASE(p_to_stack, after_init, in_one_node, "shmem_int_p: dest is ", undefined),
    CASE(put_to_malloc, after_init, in_one_node, "shmem_int_put: dest is ", not_symmetric),
    CASE(get_from_null, after_init, in_one_node,
         "shmem_int_get: source is (nil), which is not a symmetric address", undefined),
    CASE(put_from_null, after_init, in_one_node, "shmem_int_put: source is null, but has 8 bytes",
         undefined),
    CASE(put_nothing, after_init, in_one_and_two, nothing, nothing),
    CASE(put_past_block, after_init, in_one_node,
         "with 44 bytes, but its block of the symmetric heap ends after 40", undefined),
    CASE(put_past_static_data, after_init, in_one_node,
         "with 1073741824 bytes, but static data ends after", undefined),
    CASE(put_too_many, after_init, in_one_node,
         "shmem_int_put: the number of elements is 9223372036854775807 of 4 bytes", undefined),
    CASE(iget_past_block, after_init, in_one_node,
         "with 52 bytes, but its block of the symmetric heap ends after 40", undefined),
    CASE(iput_stride, after_init, in_one_node,
         "shmem_int_iput: dst is 0, but strides are at least 1", undefined),
    CASE(iget_stride, after_init, in_one_node,
         "shmem_int_iget: sst is -1, but strides are at least 1", undefined),
    CASE(put_onto_itself, after_init, in_one_node, "with 16 bytes, and overlaps source", undefined),
    CASE(atomic_misaligned, after_init, in_one_node, "but must be a multiple of 8", undefined),
    CASE(fetch_to_null, after_init, in_one_node, "shmem_int_atomic_fetch_add_nbi: fetch is null",
         undefined),
    CASE(signal_in_data, after_init, in_one_node, "shmem_putmem_signal: sig_addr is ", undefined),
    CASE(signal_operation, after_init, in_one_node,
         "shmem_putmem_signal: sig_op is 7, but operations are", undefined),
    CASE(free_twice, after_init, in_one_and_two, "shmem_free: ptr is not a block", the_same),
    CASE(free_inside, after_init, in_one_node, "shmem_free: ptr is not a block", the_same),
    CASE(free_malloc, after_init, in_one_node, "shmem_free: ptr is not a block", the_same),
    CASE(realloc_freed, after_init, in_one_node, "shmem_realloc: ptr is not a block", the_same),
    CASE(free_different, after_init, in_one_and_two,
         "shmem_free: ptr must be equal on all PEs of the team", "the ranks free different blocks"),
    CASE(malloc_different, after_init, in_one_and_two,
         "shmem_malloc: size must be equal on all PEs of the team", nothing),
    CASE(calloc_different, after_init, in_one_and_two,
         "shmem_calloc: count must be equal on all PEs of the team", nothing),
    CASE(get_constant, after_init, in_one_node, "shmem_long_g: source is 0x",
         "an address is not symmetric"),
    CASE(get_from_stack, after_init, in_one_node, "shmem_long_g: source is 0x",
         "an address is not symmetric"),
    CASE(put_to_freed, after_init, in_one_and_two, "shmem_long_p: dest is 0x", undefined),
    CASE(finalize_alone, after_init, in_one_and_two, "shmem_finalize", undefined),
    CASE(broadcast_nothing, after_init, in_one_and_two, nothing, nothing),
    CASE(split_alone, after_init, in_one_and_two,
         "shmem_team_split_strided: start must be equal on all PEs of the team", nothing),
    CASE(align_three, after_init, in_one_node,
         "shmem_align: alignment is 3, but alignments are powers of two from 8", nothing),
    CASE(heap_is_full, after_init, in_one_and_two, nothing, nothing),
    CASE(global_exit_well, after_init, in_one_and_two, nothing, nothing),
    CASE(global_exit_badly, after_init, in_one_and_two, "rank 1 on host", "shmem_global_exit(3)"),
    CASE(wait_comparison, after_init, in_one_node,
         "shmem_int_wait_until: cmp is 9, but comparisons are", "unknown comparison: 9"),
    CASE(test_comparison, after_init, in_one_node,
         "shmem_int_test_all: cmp is 0, but comparisons are", "unknown comparison: 0"),
    CASE(wait_on_stack, after_init, in_one_node, "shmem_int_wait_until: ivar is ", nothing),
    CASE(wait_some_nowhere, after_init, in_one_node, "shmem_int_wait_until_some: indices is null",
         undefined),
    CASE(wait_no_values, after_init, in_one_node,
         "shmem_int_wait_until_all_vector: cmp_values is null", undefined),
    CASE(set_lock_twice, after_init, in_one_node, "shmem_set_lock: this PE already has the lock",
         undefined),
    CASE(clear_anothers_lock, after_init, in_one_node,
         "shmem_clear_lock: this PE does not have the lock", undefined),
    CASE(sync_invalid_team, after_init, in_one_node, "shmem_team_sync: team is SHMEM_TEAM_INVALID",
         nothing),
    CASE(team_destroy_twice, after_init, in_one_node,
         "shmem_team_destroy: team is invalid or already destroyed", the_same),
    CASE(team_destroyed, after_init, in_one_node,
         "shmem_team_sync: team is invalid or already destroyed", undefined),
    CASE(team_destroy_world, after_init, in_one_node,
         "shmem_team_destroy: the world team and the shared team cannot be destroyed", the_same),
    CASE(team_with_private_context, after_init, in_one_node,
         "shmem_team_destroy: the team has a context with SHMEM_CTX_PRIVATE", nothing),
    CASE(split_differently, after_init, in_one_node,
         "shmem_team_split_strided: start must be equal on all PEs of the team", undefined),
    CASE(split_no_config, after_init, in_one_node, "shmem_team_split_strided: config is null",
         nothing),
    CASE(context_options, after_init, in_one_node,
         "shmem_ctx_create: options is 64, but options are", nothing),
    CASE(context_invalid, after_init, in_one_node, "shmem_ctx_int_p: ctx is SHMEM_CTX_INVALID",
         undefined),
    CASE(context_destroyed, after_init, in_one_node,
         "shmem_ctx_quiet: ctx is invalid or already destroyed", undefined),
    CASE(context_destroy_twice, after_init, in_one_node,
         "shmem_ctx_destroy: ctx is invalid or already destroyed", the_same),
    CASE(context_destroy_default, after_init, in_one_node,
         "shmem_ctx_destroy: the default context cannot be destroyed", the_same),
    CASE(private_context, without_init, in_one_node,
         "shmem_ctx_int_p: ctx was created with SHMEM_CTX_PRIVATE, by another thread", nothing),
    CASE(thread_level, after_init, in_one_node,
         "shmem_ctx_int_p: called by another thread than shmem_init", nothing),
    CASE(broadcast_count, after_init, in_one_and_two,
         "shmem_int_broadcast: nelems must be equal on all PEs of the team, but is ", undefined),
    CASE(broadcast_roots, after_init, in_one_node, "shmem_int_broadcast: PE_root must be equal",
         undefined),
    CASE(reduce_objects, after_init, in_one_node,
         "shmem_int_sum_reduce: dest must be equal on all PEs of the team, but is another object",
         undefined),
    CASE(different_collectives, after_init, in_one_and_two,
         "all PEs of the team must call it, but PE ", undefined),
    CASE(fcollect_overlap, after_init, in_one_node, "shmem_int_fcollect: dest is ", undefined),
    CASE(reduce_overlap, after_init, in_one_node, "with 16 bytes, and overlaps source", undefined),
    CASE(alltoall_stack, after_init, in_one_node, "shmem_int_alltoall: source is ", undefined),
    CASE(collect_past_block, after_init, in_one_node,
         "with 20 bytes, but its block of the symmetric heap ends after 16", undefined),
    CASE(alltoalls_stride, after_init, in_one_node,
         "shmem_int_alltoalls: sst is 0, but strides are at least 1", undefined),
    CASE(active_set, after_init, in_one_node,
         "PE_start 0, logPE_stride 1 and PE_size 2 are not a valid set of 2 PEs", the_same),
    CASE(active_set_of_others, after_init, in_one_node, "are a set without this PE", the_same),
    CASE(active_set_work, after_init, in_one_node,
         "shmem_broadcast32: pSync[1] is 7, but must be initialised to SHMEM_SYNC_VALUE", nothing),
    CASE(active_set_null, after_init, in_one_node,
         "shmem_barrier: pSync is (nil), which is not a symmetric address", nothing),
};

int main(int argc, char** argv) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (argc < 2) {
      printf("%s|%s|%s|%s\n", cases[i].name, cases[i].nodes, cases[i].checked,
             cases[i].fast == the_same ? cases[i].checked : cases[i].fast);
    } else if (strcmp(argv[1], cases[i].name) == 0) {
      if (cases[i].when == after_init) shmem_init();
      cases[i].run();
      return 0;
    }
  }
  return argc < 2 ? 0 : 1;
}
