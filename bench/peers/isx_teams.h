/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM 1.5's fcollect of the world's team, which the reference ISx calls and Open MPI 4 lacks,
 * by calls of OpenSHMEM 1.4. Included before the program by -include. */
#pragma once
#include <shmem.h>
#include <stddef.h>

#ifndef SHMEM_TEAM_WORLD
#define SHMEM_TEAM_WORLD 0

static inline int fcollect_of_all(void* target, const void* source, size_t bytes) {
  for (int pe = 0; pe < shmem_n_pes(); ++pe) {
    shmem_putmem((char*)target + (size_t)shmem_my_pe() * bytes, source, bytes, pe);
  }
  shmem_barrier_all();
  return 0;
}
#define shmem_double_fcollect(team, target, source, count) \
  fcollect_of_all(target, source, (count) * sizeof(double))
#define shmem_uint_fcollect(team, target, source, count) \
  fcollect_of_all(target, source, (count) * sizeof(unsigned))
#endif
