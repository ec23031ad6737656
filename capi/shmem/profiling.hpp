// SPDX-License-Identifier: BSD-3-Clause
// Every routine is defined under its profiling name, and has its usual name as a weak alias,
// which a tool may define instead.
#pragma once

#include "pshmem.h"

#define ACRE_SHMEM_DEFINE(RESULT, NAME, PARAMETERS)                             \
  RESULT shmem_##NAME PARAMETERS __attribute__((weak, alias("pshmem_" #NAME))); \
  RESULT pshmem_##NAME PARAMETERS

/// The same of a name that does not begin with shmem_.
#define ACRE_SHMEM_DEFINE_OLD(RESULT, NAME, PARAMETERS)           \
  RESULT NAME PARAMETERS __attribute__((weak, alias("p" #NAME))); \
  RESULT p##NAME PARAMETERS
