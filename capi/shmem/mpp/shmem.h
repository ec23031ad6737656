/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the header was before OpenSHMEM 1.1 (deprecated). */
#include "../shmem.h"
