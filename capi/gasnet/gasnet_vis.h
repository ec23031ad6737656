/* SPDX-License-Identifier: BSD-3-Clause */
/* GASNet-1 on Acre: puts and gets of vectors, indexed blocks and strided boxes. gasnet.h includes
 * it.
 *
 * Remote addresses must be in the segment of the node. Lists, strides and counts are free at
 * return. Each contiguous piece is one put or get; a handle completes, and frees local data, with
 * all counted operations of the process. */
#ifndef ACRE_GASNET_VIS_H
#define ACRE_GASNET_VIS_H

#include "gasnet.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  void* addr;
  size_t len;
} gasnet_memvec_t;

/* Vector: the pieces of both lists, in order, have equal bytes in total.
 * Indexed: all pieces of a list have one length.
 * Strided: `count[0]` contiguous bytes, repeated `count[i]` times at a distance of `strides[i - 1]`
 * bytes, for i from 1 to `stridelevels`. */
#define ACRE_GASNET_VIS_DECLARE(RESULT, FORM)                                                      \
  RESULT gasnet_putv##FORM(gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const* dstlist, \
                           size_t srccount, gasnet_memvec_t const* srclist);                       \
  RESULT gasnet_getv##FORM(size_t dstcount, gasnet_memvec_t const* dstlist, gasnet_node_t srcnode, \
                           size_t srccount, gasnet_memvec_t const* srclist);                       \
  RESULT gasnet_puti##FORM(gasnet_node_t dstnode, size_t dstcount, void* const* dstlist,           \
                           size_t dstlen, size_t srccount, void* const* srclist, size_t srclen);   \
  RESULT gasnet_geti##FORM(size_t dstcount, void* const* dstlist, size_t dstlen,                   \
                           gasnet_node_t srcnode, size_t srccount, void* const* srclist,           \
                           size_t srclen);                                                         \
  RESULT gasnet_puts##FORM(gasnet_node_t dstnode, void* dstaddr, const size_t* dststrides,         \
                           void* srcaddr, const size_t* srcstrides, const size_t* count,           \
                           size_t stridelevels);                                                   \
  RESULT gasnet_gets##FORM(void* dstaddr, const size_t* dststrides, gasnet_node_t srcnode,         \
                           void* srcaddr, const size_t* srcstrides, const size_t* count,           \
                           size_t stridelevels);
ACRE_GASNET_VIS_DECLARE(void, _bulk)
ACRE_GASNET_VIS_DECLARE(gasnet_handle_t, _nb_bulk)
ACRE_GASNET_VIS_DECLARE(void, _nbi_bulk)
#undef ACRE_GASNET_VIS_DECLARE

#ifdef __cplusplus
}
#endif

#endif
