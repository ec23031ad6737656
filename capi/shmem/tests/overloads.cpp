// SPDX-License-Identifier: BSD-3-Clause
// generics.c as C++; some programs include the header inside extern "C".
extern "C" {
#include <shmem.h>
}
#include "generics.c"
