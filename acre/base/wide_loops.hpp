// SPDX-License-Identifier: BSD-3-Clause
// Loops that a portable program has twice: compiled for any x86-64 processor, and for the vectors
// of 32 bytes (AVX2) that most have since 2013, where it finds out that its processor has them.
//
// Both have the same results to the last bit: products and sums are not fused. A program opts in by
// ACRE_WIDE_LOOPS, as those that are installed with Acre do; one that is compiled for AVX2 anyway
// needs no second loop.
#pragma once

#ifndef ACRE_WIDE_LOOPS
#define ACRE_WIDE_LOOPS 0
#endif

#if ACRE_WIDE_LOOPS && defined(__x86_64__) && !defined(__AVX2__)
#define ACRE_HAS_WIDE_LOOPS 1
#define ACRE_FOR_WIDE_PROCESSORS gnu::target("avx2,bmi,bmi2")
/// Before a function: compiled for such processors, with all that it calls.
#define ACRE_WIDE [[ACRE_FOR_WIDE_PROCESSORS, gnu::flatten, gnu::noinline]]
/// Before functions that use vector types: these are lowered in each function before it is inlined,
/// so those that are called need it as well.
#define ACRE_WIDE_NOINLINE [[ACRE_FOR_WIDE_PROCESSORS, gnu::noinline]]
#define ACRE_WIDE_INLINE [[ACRE_FOR_WIDE_PROCESSORS, gnu::always_inline]] inline
#else
#define ACRE_HAS_WIDE_LOOPS 0
#define ACRE_WIDE_NOINLINE [[gnu::noinline]]
#define ACRE_WIDE_INLINE [[gnu::always_inline]] inline
#endif

namespace acre::base {

/// Whether this processor runs what is compiled for wide ones: true where all code is.
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
