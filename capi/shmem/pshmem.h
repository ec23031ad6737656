/* SPDX-License-Identifier: BSD-3-Clause */
/* The profiling interface: every routine of shmem.h as pshmem_…, for tools that replace shmem_….
 * Old names (start_pes, shmalloc, …) have the prefix p. */
#ifndef PSHMEM_H
#define PSHMEM_H

#ifdef __GNUC__
#pragma GCC system_header /* C89 and C++98 have no long long */
#endif

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
