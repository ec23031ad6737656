// SPDX-License-Identifier: BSD-3-Clause
// The overloads of C++, by the same test as the generic routines of C11; some programs include
// the header so.
extern "C" {
#include <shmem.h>
}
#include "generics.c"
