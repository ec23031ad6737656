// SPDX-License-Identifier: BSD-3-Clause
// Defines each routine of a family (shmem_families.h) by the template of its generic name in
// acre::shmem::routine. A context only translates the PE.
#pragma once

#include "checks.hpp"
#include "context.hpp"
#include "profiling.hpp"

#define ACRE_SHMEM_DEFINE_ONE(RESULT, NAME, ROUTINE, ELEMENT, PARAMETERS, ARGUMENTS) \
  ACRE_SHMEM_DEFINE(RESULT, NAME, PARAMETERS) {                                      \
    ACRE_SHMEM_CHECK_AS(NAME, ROUTINE, ELEMENT, ARGUMENTS)                           \
    return acre::shmem::routine::ROUTINE<ELEMENT> ARGUMENTS;                         \
  }
#define ACRE_SHMEM_DEFINE_WITH_CTX(RESULT, NAME, ROUTINE, ELEMENT, PARAMETERS, ARGUMENTS)  \
  ACRE_SHMEM_DEFINE_ONE(RESULT, NAME, ROUTINE, ELEMENT, PARAMETERS, ARGUMENTS)             \
  ACRE_SHMEM_DEFINE(RESULT, ctx_##NAME, (shmem_ctx_t ctx, ACRE_SHMEM_INSIDE PARAMETERS)) { \
    ACRE_SHMEM_CHECK(ctx_##NAME, its.context(ctx, pe))                                     \
    pe = acre::shmem::rank_in(ctx, pe);                                                    \
    ACRE_SHMEM_CHECK_AS(ctx_##NAME, ROUTINE, ELEMENT, ARGUMENTS)                           \
    return acre::shmem::routine::ROUTINE<ELEMENT> ARGUMENTS;                               \
  }
