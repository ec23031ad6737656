// SPDX-License-Identifier: BSD-3-Clause
// The version of Acre: the one place that says it. CMake and the pkg-config
// file read it from here.
#pragma once

#define ACRE_VERSION_MAJOR 0
#define ACRE_VERSION_MINOR 1
#define ACRE_VERSION_PATCH 0
#define ACRE_VERSION "0.1.0"
