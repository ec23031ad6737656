// SPDX-License-Identifier: BSD-3-Clause
// Ends a compilation that is not C++20 at its first line: what would follow are
// thousands of errors that say nothing. The headers that all others begin with
// include this one first.
#pragma once

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "Acre needs C++20: compile with -std=c++20 (CMake's acre::acre asks for it itself)"
// There is no such file; an #error alone would not end the compilation.
#include <acre/base/needs-std=c++20>
#endif
