/* SPDX-License-Identifier: BSD-3-Clause */
/* CHECK_ON reports a failed condition, its source location, and the rank. */
#ifndef ACRE_CAPI_CHECK_ON_H
#define ACRE_CAPI_CHECK_ON_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK_ON(rank, condition)                                                            \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      fprintf(stderr, "%s:%d: rank %d: check failed: %s\n", __FILE__, __LINE__, (int)(rank), \
              #condition);                                                                   \
      abort();                                                                               \
    }                                                                                        \
  } while (0)

#endif
