/* SPDX-License-Identifier: BSD-3-Clause */
/* The profiling interface: every routine of shmem.h under the name pshmem_..., which a tool
 * calls from the shmem_... that it puts in its place; of start_pes, shmalloc and the like under
 * that name after a p. */
#ifndef PSHMEM_H
#define PSHMEM_H

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif
#define ACRE_SHMEM(name) pshmem_##name
#define ACRE_SHMEM_OLD(name) p##name
#include "shmem_routines.h"
#undef ACRE_SHMEM_OLD
#undef ACRE_SHMEM
#ifdef __cplusplus
}
#endif

#endif
