/* SPDX-License-Identifier: BSD-3-Clause */
/* The conduit's core header: configure scripts recognise a conduit by it. */
#include <gasnet.h>
