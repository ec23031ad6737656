// SPDX-License-Identifier: BSD-3-Clause
// Rejects compilers that are not in C++20 mode.
#pragma once

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "Acre requires C++20: compile with -std=c++20 (CMake's acre::acre sets it)"
// Includes a missing file: unlike #error, that ends compilation.
#include <acre/base/needs-std=c++20>
#endif
