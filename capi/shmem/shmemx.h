/* SPDX-License-Identifier: BSD-3-Clause */
/* Extensions to OpenSHMEM: Acre has no extensions. */
#include "shmem.h"
