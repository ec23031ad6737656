/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocation and partition for MPI kernels. Define _GNU_SOURCE before. */
#pragma once

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static inline double* allocate(size_t elements) {
  const size_t page = (size_t)2 << 20;
  const size_t bytes = (elements * sizeof(double) + page - 1) / page * page;
  double* memory = aligned_alloc(page, bytes);
  if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  madvise(memory, bytes, MADV_HUGEPAGE);
  memset(memory, 0, bytes);
  return memory;
}

static inline void own_part(int extent, int parts, int at, int* first, int* count) {
  const int least = extent / parts, longer = extent % parts;
  *count = least + (at < longer ? 1 : 0);
  *first = at * least + (at < longer ? at : longer);
}
