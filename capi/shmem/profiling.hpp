// SPDX-License-Identifier: BSD-3-Clause
// Routines are defined as pshmem_…; the usual name is a weak alias that a tool may replace.
#pragma once

#include "pshmem.h"

#define ACRE_SHMEM_DEFINE(RESULT, NAME, PARAMETERS)                             \
  RESULT shmem_##NAME PARAMETERS __attribute__((weak, alias("pshmem_" #NAME))); \
  RESULT pshmem_##NAME PARAMETERS

#define ACRE_SHMEM_DEFINE_OLD(RESULT, NAME, PARAMETERS)           \
  RESULT NAME PARAMETERS __attribute__((weak, alias("p" #NAME))); \
  RESULT p##NAME PARAMETERS
