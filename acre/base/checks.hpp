// SPDX-License-Identifier: BSD-3-Clause
// Whether this build checks what its callers hand it: ACRE_CHECKS, set by CMake
// for the library and for all that links it. Without it a check costs nothing.
#pragma once

#include <acre/base/cplusplus.hpp>

#ifndef ACRE_CHECKS
#define ACRE_CHECKS 0
#endif

namespace acre::base {

inline constexpr bool has_checks = ACRE_CHECKS != 0;

}  // namespace acre::base
