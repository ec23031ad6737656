/* SPDX-License-Identifier: BSD-3-Clause */
/* CHECK for OpenSHMEM tests. */
#ifndef ACRE_SHMEM_TESTS_CHECK_H
#define ACRE_SHMEM_TESTS_CHECK_H

#include "../../check_on.h"

#define CHECK(condition) CHECK_ON(shmem_my_pe(), condition)

#endif
