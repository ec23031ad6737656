/* SPDX-License-Identifier: BSD-3-Clause */
/* GASNet-1 on Acre: collectives over all nodes. gasnet.h includes it.
 *
 * Nodes start collectives in one order, between barriers and outside of handlers; they may complete
 * them in any order while the others poll. Addresses may be anywhere. There is one image per node,
 * and each call uses this node's addresses of its arguments. */
#ifndef ACRE_GASNET_COLL_H
#define ACRE_GASNET_COLL_H

#include "gasnet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One of each: data may move when any node has entered, when both ends have, when all have; the
 * call may end at any time, when this node's data have moved, when all have. */
#define GASNET_COLL_IN_NOSYNC (1 << 0)
#define GASNET_COLL_IN_MYSYNC (1 << 1)
#define GASNET_COLL_IN_ALLSYNC (1 << 2)
#define GASNET_COLL_OUT_NOSYNC (1 << 3)
#define GASNET_COLL_OUT_MYSYNC (1 << 4)
#define GASNET_COLL_OUT_ALLSYNC (1 << 5)
/* Lists of calls with M have an entry for each image of the job, or of this node. */
#define GASNET_COLL_SINGLE (1 << 6)
#define GASNET_COLL_LOCAL (1 << 7)
/* Ignored. */
#define GASNET_COLL_AGGREGATE (1 << 8)
#define GASNET_COLL_DST_IN_SEGMENT (1 << 10)
#define GASNET_COLL_SRC_IN_SEGMENT (1 << 11)

/* Flags of a reduction's function; it is called in the order of the images in any case. */
#define GASNET_COLL_AMSAFE (1 << 0)
#define GASNET_COLL_NONCOMM (1 << 1)

typedef uint32_t gasnet_image_t;
typedef gasnet_handlerarg_t gasnet_coll_fn_handle_t;
typedef struct acre_gasnet_collective* gasnet_coll_handle_t;
#define GASNET_COLL_INVALID_HANDLE ((gasnet_coll_handle_t)0)
typedef struct acre_gasnet_team* gasnet_team_handle_t;
#define GASNET_TEAM_ALL ((gasnet_team_handle_t)0)

/* *results = *left_operands op *right_operands; both counts are 1. */
typedef void (*gasnet_coll_reduce_fn_t)(void* results, size_t result_count,
                                        const void* left_operands, size_t left_count,
                                        const void* right_operands, size_t elem_size, int flags,
                                        int arg);
typedef struct {
  gasnet_coll_reduce_fn_t fnptr;
  unsigned int flags;
} gasnet_coll_fn_entry_t;

/* `images` is null or has a 1 for each node. A function's handle is its index. */
void gasnet_coll_init(const gasnet_image_t* images, gasnet_image_t my_image,
                      gasnet_coll_fn_entry_t* fn_tbl, size_t fn_count, int init_flags);

/* Blocks of `nbytes`: broadcast copies one to all; scatter sends image i the i-th of `src`; gather
 * stores image i's as the i-th of `dst`, gather_all at all; exchange scatters and gathers. */
#define ACRE_GASNET_COLL_DECLARE(RESULT, FORM)                                                     \
  RESULT gasnet_coll_broadcast##FORM(gasnet_team_handle_t team, void* dst,                         \
                                     gasnet_image_t srcimage, void* src, size_t nbytes,            \
                                     int flags);                                                   \
  RESULT gasnet_coll_broadcastM##FORM(gasnet_team_handle_t team, void* const* dstlist,             \
                                      gasnet_image_t srcimage, void* src, size_t nbytes,           \
                                      int flags);                                                  \
  RESULT gasnet_coll_scatter##FORM(gasnet_team_handle_t team, void* dst, gasnet_image_t srcimage,  \
                                   void* src, size_t nbytes, int flags);                           \
  RESULT gasnet_coll_scatterM##FORM(gasnet_team_handle_t team, void* const* dstlist,               \
                                    gasnet_image_t srcimage, void* src, size_t nbytes, int flags); \
  RESULT gasnet_coll_gather##FORM(gasnet_team_handle_t team, gasnet_image_t dstimage, void* dst,   \
                                  void* src, size_t nbytes, int flags);                            \
  RESULT gasnet_coll_gatherM##FORM(gasnet_team_handle_t team, gasnet_image_t dstimage, void* dst,  \
                                   void* const* srclist, size_t nbytes, int flags);                \
  RESULT gasnet_coll_gather_all##FORM(gasnet_team_handle_t team, void* dst, void* src,             \
                                      size_t nbytes, int flags);                                   \
  RESULT gasnet_coll_gather_allM##FORM(gasnet_team_handle_t team, void* const* dstlist,            \
                                       void* const* srclist, size_t nbytes, int flags);            \
  RESULT gasnet_coll_exchange##FORM(gasnet_team_handle_t team, void* dst, void* src,               \
                                    size_t nbytes, int flags);                                     \
  RESULT gasnet_coll_exchangeM##FORM(gasnet_team_handle_t team, void* const* dstlist,              \
                                     void* const* srclist, size_t nbytes, int flags);              \
  /* Element by element over the images; src_blksz and src_offset are 0. */                        \
  RESULT gasnet_coll_reduce##FORM(gasnet_team_handle_t team, gasnet_image_t dstimage, void* dst,   \
                                  void* src, size_t src_blksz, size_t src_offset,                  \
                                  size_t elem_size, size_t elem_count,                             \
                                  gasnet_coll_fn_handle_t func, int func_arg, int flags);          \
  RESULT gasnet_coll_reduceM##FORM(gasnet_team_handle_t team, gasnet_image_t dstimage, void* dst,  \
                                   void* const* srclist, size_t src_blksz, size_t src_offset,      \
                                   size_t elem_size, size_t elem_count,                            \
                                   gasnet_coll_fn_handle_t func, int func_arg, int flags);
ACRE_GASNET_COLL_DECLARE(void, )
ACRE_GASNET_COLL_DECLARE(gasnet_coll_handle_t, _nb)
#undef ACRE_GASNET_COLL_DECLARE

void gasnet_coll_wait_sync(gasnet_coll_handle_t handle);
int gasnet_coll_try_sync(gasnet_coll_handle_t handle);
void gasnet_coll_wait_sync_some(gasnet_coll_handle_t* phandle, size_t numhandles);
int gasnet_coll_try_sync_some(gasnet_coll_handle_t* phandle, size_t numhandles);
void gasnet_coll_wait_sync_all(gasnet_coll_handle_t* phandle, size_t numhandles);
int gasnet_coll_try_sync_all(gasnet_coll_handle_t* phandle, size_t numhandles);

/* gasnet_barrier_… of the team. */
void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags);
int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags);
gasnet_node_t gasnet_coll_team_size(gasnet_team_handle_t team);

#ifdef __cplusplus
}
#endif

#endif
