// SPDX-License-Identifier: BSD-3-Clause
// Version numbers of Acre.
#pragma once

#define ACRE_VERSION_MAJOR 0
#define ACRE_VERSION_MINOR 1
#define ACRE_VERSION_PATCH 0
#define ACRE_VERSION "0.1.0"
