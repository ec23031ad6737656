// SPDX-License-Identifier: BSD-3-Clause
// Loops compiled for any x86-64 and for AVX2; the program selects at run time. Results are bitwise
// equal: no fused multiply-add. Enabled by ACRE_WIDE_LOOPS, unless all code is compiled for AVX2.
#pragma once

#ifndef ACRE_WIDE_LOOPS
#define ACRE_WIDE_LOOPS 0
#endif

#if ACRE_WIDE_LOOPS && defined(__x86_64__) && !defined(__AVX2__)
#define ACRE_HAS_WIDE_LOOPS 1
#define ACRE_FOR_WIDE_PROCESSORS gnu::target("avx2,bmi,bmi2")
#define ACRE_WIDE [[ACRE_FOR_WIDE_PROCESSORS, gnu::flatten, gnu::noinline]]
/// For functions with vector types and their callees: these types are lowered before inlining.
#define ACRE_WIDE_NOINLINE [[ACRE_FOR_WIDE_PROCESSORS, gnu::noinline]]
#define ACRE_WIDE_INLINE [[ACRE_FOR_WIDE_PROCESSORS, gnu::always_inline]] inline
#else
#define ACRE_HAS_WIDE_LOOPS 0
#define ACRE_WIDE_NOINLINE [[gnu::noinline]]
#define ACRE_WIDE_INLINE [[gnu::always_inline]] inline
#endif

namespace acre::base {

[[nodiscard]] inline bool processor_is_wide() noexcept {
#if ACRE_HAS_WIDE_LOOPS
  static const bool is_wide = __builtin_cpu_supports("avx2") != 0 &&
                              __builtin_cpu_supports("bmi") != 0 &&
                              __builtin_cpu_supports("bmi2") != 0;
  return is_wide;
#else
  return true;
#endif
}

}  // namespace acre::base
