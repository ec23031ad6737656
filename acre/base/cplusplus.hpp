// SPDX-License-Identifier: BSD-3-Clause
// Stops compilers that are not in C++20 mode at their first line.
#pragma once

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "Acre needs C++20: compile with -std=c++20 (CMake's acre::acre asks for it itself)"
// A missing file: #error would not end compilation.
#include <acre/base/needs-std=c++20>
#endif
