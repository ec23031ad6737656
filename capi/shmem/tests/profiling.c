/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool replaces routines and calls the profiling names; old header location. */
#include "check.h"

#include <mpp/shmem.h>

#include <pshmem.h>

static int puts_seen, xors_seen, barriers_seen, blocks_seen, starts_seen;
static int words[2];

void shmem_int_put(int* dest, const int* source, size_t nelems, int pe) {
  ++puts_seen;
  pshmem_int_put(dest, source, nelems, pe);
}
int shmem_int_atomic_fetch_xor(int* dest, int value, int pe) {
  ++xors_seen;
  return pshmem_int_atomic_fetch_xor(dest, value, pe);
}
void shmem_barrier_all(void) {
  ++barriers_seen;
  pshmem_barrier_all();
}
void start_pes(int npes) {
  ++starts_seen;
  pstart_pes(npes);
}
void* shmalloc(size_t size) {
  ++blocks_seen;
  return pshmalloc(size);
}
void shfree(void* ptr) {
  --blocks_seen;
  pshfree(ptr);
}

static void check_old_names(void) {
  CHECK(starts_seen == 1);
  CHECK(_my_pe() == p_my_pe() && _num_pes() == p_num_pes());
  void* block = shmalloc(100);
  CHECK(block != NULL && blocks_seen == 1);
  block = pshrealloc(block, 200);
  shfree(block);
  CHECK(blocks_seen == 0);
  block = pshmemalign(4096, 100);
  CHECK(block != NULL && (uintptr_t)block % 4096 == 0);
  pshfree(block);
}

int main(void) {
  start_pes(0);
  const int me = pshmem_my_pe(), pes = pshmem_n_pes();
  const int mine[2] = {me, me + 1};
  shmem_pcontrol(1);
  shmem_put(words, mine, 2, (me + 1) % pes);
  pshmem_int_put(words, mine, 2, (me + 1) % pes);
  shmem_barrier_all();
  CHECK(puts_seen == 1 && barriers_seen == 1);
  CHECK(words[1] == (me + pes - 1) % pes + 1);
  pshmem_barrier_all();
  CHECK(shmem_atomic_fetch_xor(words, 3, me) == (me + pes - 1) % pes);
  CHECK(xors_seen == 1 && pshmem_int_atomic_fetch_or(words, 4, me) == ((me + pes - 1) % pes ^ 3));
  check_old_names();
  pshmem_finalize();
  return 0;
}
