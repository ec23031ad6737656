/* What the test programs of a C interface share: a check that says what failed, and where. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                               \
  do {                                                                                 \
    if (!(condition)) {                                                                \
      fprintf(stderr, "%s:%d: PE %d: not so: %s\n", __FILE__, __LINE__, shmem_my_pe(), \
              #condition);                                                             \
      abort();                                                                         \
    }                                                                                  \
  } while (0)

#endif
