/* The profiling interface: every routine of shmem.h under the name pshmem_..., which a tool
 * calls from the shmem_... that it puts in its place. */
#ifndef PSHMEM_H
#define PSHMEM_H

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif
#define ACRE_SHMEM(name) pshmem_##name
#include "shmem_routines.h"
#undef ACRE_SHMEM
#ifdef __cplusplus
}
#endif

#endif
