// SPDX-License-Identifier: BSD-3-Clause
// Argument checks, enabled by ACRE_CHECKS, which CMake also sets for users.
#pragma once

#include <acre/base/cplusplus.hpp>

#ifndef ACRE_CHECKS
#define ACRE_CHECKS 0
#endif

namespace acre::base {

inline constexpr bool has_checks = ACRE_CHECKS != 0;

}  // namespace acre::base
