/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the C interfaces share: a check that says what failed, where, and on which
   rank, whose number each interface has from another call. */
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
