/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM 1.5 on Acre. Link with -lacre-shmem or use oshcc; start with oshrun. Routines:
 * shmem_routines.h. This file: types, constants, generic routines of C11 and C++. */
#ifndef SHMEM_H
#define SHMEM_H

#ifdef __GNUC__
#pragma GCC system_header /* C89 and C++98 have no long long */
#endif

#include "shmem_families.h"

#include <stddef.h>
#include <stdint.h>

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_VENDOR_STRING "Acre"
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

#define SHMEM_MALLOC_ATOMICS_REMOTE 0x1L
#define SHMEM_MALLOC_SIGNAL_REMOTE 0x2L

#define SHMEM_CTX_SERIALIZED 0x1L
#define SHMEM_CTX_PRIVATE 0x2L
#define SHMEM_CTX_NOSTORE 0x4L

#define SHMEM_TEAM_NUM_CONTEXTS 0x1L

#define SHMEM_CMP_EQ 1
#define SHMEM_CMP_NE 2
#define SHMEM_CMP_GT 3
#define SHMEM_CMP_GE 4
#define SHMEM_CMP_LT 5
#define SHMEM_CMP_LE 6
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_LE SHMEM_CMP_LE

#define SHMEM_SIGNAL_SET 1
#define SHMEM_SIGNAL_ADD 2

/* Sizes and initial value of active-set work arrays. */
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE 4
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_ALLTOALL_SYNC_SIZE SHMEM_ALLTOALL_SYNC_SIZE
#define _SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_ALLTOALLS_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE

#ifdef __cplusplus
extern "C" {
#endif

typedef struct acre_shmem_ctx* shmem_ctx_t;
typedef struct acre_shmem_team* shmem_team_t;

typedef struct {
  int num_contexts;
} shmem_team_config_t;

extern struct acre_shmem_team acre_shmem_team_world;
extern struct acre_shmem_team acre_shmem_team_shared;

#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)0)
#define SHMEM_CTX_INVALID ((shmem_ctx_t) - 1)
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_TEAM_WORLD (&acre_shmem_team_world)
#define SHMEM_TEAM_SHARED (&acre_shmem_team_shared)

#if defined(__cplusplus) || defined(__GNUC__)
#define ACRE_SHMEM_NORETURN __attribute__((noreturn))
#else
#define ACRE_SHMEM_NORETURN
#endif

#define ACRE_SHMEM(name) shmem_##name
#define ACRE_SHMEM_OLD(name) name
#include "shmem_routines.h"
#undef ACRE_SHMEM_OLD
#undef ACRE_SHMEM

#ifdef __cplusplus
}
extern "C++" { /* also if included in extern "C" */
#include "shmem_generic_cxx.h"
}
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && !defined(ACRE_SHMEM_NO_GENERICS)
#include "shmem_generic_c.h"
#endif

#endif
