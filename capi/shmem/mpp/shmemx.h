/* SPDX-License-Identifier: BSD-3-Clause */
/* Deprecated location, before OpenSHMEM 1.1. */
#include "../shmemx.h"
