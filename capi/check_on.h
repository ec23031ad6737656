/* SPDX-License-Identifier: BSD-3-Clause */
/* CHECK_ON reports a failed condition, its place in the source, and the rank. */
#ifndef ACRE_CAPI_CHECK_ON_H
#define ACRE_CAPI_CHECK_ON_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK_ON(rank, condition)                                                      \
  do {                                                                                 \
    if (!(condition)) {                                                                \
      fprintf(stderr, "%s:%d: rank %d: not so: %s\n", __FILE__, __LINE__, (int)(rank), \
              #condition);                                                             \
      abort();                                                                         \
    }                                                                                  \
  } while (0)

#endif
