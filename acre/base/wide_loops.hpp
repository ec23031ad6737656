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
/// Before a function: compiled for such processors, with all that it calls.
#define ACRE_WIDE [[gnu::target("avx2,bmi,bmi2"), gnu::flatten, gnu::noinline]]
#else
#define ACRE_HAS_WIDE_LOOPS 0
#endif

namespace acre::detail {

#if ACRE_HAS_WIDE_LOOPS
[[nodiscard]] inline bool processor_is_wide() noexcept {
  static const bool is_wide = __builtin_cpu_supports("avx2") != 0 &&
                              __builtin_cpu_supports("bmi") != 0 &&
                              __builtin_cpu_supports("bmi2") != 0;
  return is_wide;
}
#endif

}  // namespace acre::detail
