/* SPDX-License-Identifier: BSD-3-Clause */
/* Initialisation, queries, memory, locks. */
#include "check.h"

#include <pshmem.h>
#include <shmem.h>
#include <string.h>

static long lock;
static long shared[2];
static char text[16] = "before";

int main(void) {
  int level = -1, yes = -1;
  shmem_query_initialized(&yes);
  CHECK(yes == 0);
  strcpy(text, "start");
  /* musl takes small blocks from pages of static data. */
  char* const on_heap = malloc(1 << 20);
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level) == 0 && level == SHMEM_THREAD_MULTIPLE);
  shmem_query_thread(&level);
  CHECK(level == SHMEM_THREAD_MULTIPLE);
  CHECK(strcmp(text, "start") == 0);
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  CHECK(me >= 0 && me < pes && pshmem_my_pe() == me && _num_pes() == pes);

  int major, minor;
  char name[SHMEM_MAX_NAME_LEN];
  shmem_info_get_version(&major, &minor);
  shmem_info_get_name(name);
  CHECK(major == 1 && minor == 5 && strcmp(name, SHMEM_VENDOR_STRING) == 0);

  for (int pe = 0; pe < pes; ++pe) {
    CHECK(shmem_pe_accessible(pe));
    CHECK(shmem_addr_accessible(text, pe));
    CHECK(!shmem_addr_accessible(on_heap, pe) && !shmem_addr_accessible(&me, pe));
  }
  CHECK(!shmem_pe_accessible(pes) && !shmem_pe_accessible(-1));
  CHECK(shmem_ptr(shared, me) == shared);
  CHECK(shmem_ptr(on_heap, me) == NULL);

  CHECK(shmem_malloc(0) == NULL);
  int* const block = shmem_malloc(1000 * sizeof *block);
  CHECK(shmem_addr_accessible(block, 0));
  for (int i = 0; i < 1000; ++i) block[i] = me + i;
  int* const larger = shmem_realloc(block, 100000 * sizeof *block);
  for (int i = 0; i < 1000; ++i) CHECK(larger[i] == me + i);
  int* const neighbours = shmem_ptr(larger, (me + 1) % pes);
  if (neighbours != NULL) CHECK(neighbours[5] == (me + 1) % pes + 5);
  shmem_barrier_all();
  shmem_free(larger);
  shmem_free(NULL);
  char* const zeros = shmem_calloc(1000, 3);
  for (int i = 0; i < 3000; ++i) CHECK(zeros[i] == 0);
  shmem_free(zeros);
  for (size_t alignment = 8; alignment <= 4 << 20; alignment *= 2) {
    char* const aligned = shmem_align(alignment, 10);
    CHECK(aligned != NULL && (uintptr_t)aligned % alignment == 0);
    shmem_free(aligned);
  }
  CHECK(shmem_malloc((size_t)1 << 60) == NULL);
  CHECK(shmem_calloc((size_t)1 << 40, (size_t)1 << 40) == NULL);
  shmem_free(shmem_malloc_with_hints(10, SHMEM_MALLOC_ATOMICS_REMOTE));

  for (int i = 0; i < 100; ++i) {
    if (i % 3 == 0) {
      while (shmem_test_lock(&lock) != 0) {
      }
    } else {
      shmem_set_lock(&lock);
    }
    const long seen = shmem_long_g(&shared[0], 0);
    CHECK(shmem_long_g(&shared[1], 0) == -seen);
    shmem_long_p(&shared[0], seen + 1, 0);
    shmem_long_p(&shared[1], -(seen + 1), 0);
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  if (me == 0) CHECK(shared[0] == 100L * pes);
  free(on_heap);
  return 0; /* finalises */
}
