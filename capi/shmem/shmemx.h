/* SPDX-License-Identifier: BSD-3-Clause */
/* The place of extensions to OpenSHMEM, of which Acre has none. */
#include "shmem.h"
