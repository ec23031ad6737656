// SPDX-License-Identifier: BSD-3-Clause
// Pre-1.4 names of atomics (deprecated), as C++ overloads.
#include "check.h"

#include <shmem.h>

static long word;
static double real;

int main() {
  shmem_init();
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  shmem_set(&word, 5L, next);
  shmem_set(&real, 2.5, next);
  shmem_barrier_all();
  CHECK(shmem_fetch(&word, next) == 5 && shmem_fetch(&real, next) == 2.5);
  CHECK(shmem_fadd(&word, 2L, next) == 5);
  CHECK(shmem_finc(&word, next) == 7);
  shmem_inc(&word, next);
  shmem_add(&word, 1L, next);
  shmem_barrier_all();
  CHECK(shmem_cswap(&word, 10L, 20L, next) == 10);
  CHECK(shmem_swap(&word, 30L, next) == 20);
  shmem_barrier_all();
  CHECK(word == 30);
  shmem_finalize();
}
