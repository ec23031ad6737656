/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared parts of GASNet tests. */
#ifndef ACRE_GASNET_TESTS_CHECK_H
#define ACRE_GASNET_TESTS_CHECK_H

#include "../../check_on.h"

#include <gasnet.h>
#include <string.h>

#define CHECK(condition) CHECK_ON(gasnet_mynode(), condition)

static inline void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  CHECK(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS) == GASNET_OK);
}

static inline void start(gasnet_handlerentry_t* handlers, int number, uintptr_t segment) {
  CHECK(gasnet_init(NULL, NULL) == GASNET_OK);
  CHECK(gasnet_attach(handlers, number, segment, 0) == GASNET_OK);
}

static inline char* segment_of(gasnet_node_t node) {
  gasnet_seginfo_t* all = malloc(gasnet_nodes() * sizeof *all);
  CHECK(gasnet_getSegmentInfo(all, (int)gasnet_nodes()) == GASNET_OK);
  char* const address = all[node].addr;
  free(all);
  return address;
}

#endif
