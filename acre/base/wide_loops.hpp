// SPDX-License-Identifier: BSD-3-Clause
// Loops compiled for any x86-64, and for AVX2 or AVX-512; the program selects at run time. Enabled
// by ACRE_WIDE_LOOPS, unless all code is compiled for AVX2. Results are bitwise equal if compiled
// with -ffp-contract=off; else code for AVX-512 may fuse multiplications with additions: results
// then differ between processors, and between inner and outer elements of a transposition.
//
//     base::in_wide_loops([&] { for (double& each : own) each += 1; });
#pragma once

#ifndef ACRE_WIDE_LOOPS
#define ACRE_WIDE_LOOPS 0
#endif

#if ACRE_WIDE_LOOPS && defined(__x86_64__) && !defined(__AVX2__)
#define ACRE_HAS_WIDE_LOOPS 1
#define ACRE_FOR_AVX2 gnu::target("avx2,bmi,bmi2")
#define ACRE_FOR_AVX512 gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2")
#define ACRE_WIDE [[ACRE_FOR_AVX2, gnu::flatten, gnu::noinline]]
#else
#define ACRE_HAS_WIDE_LOOPS 0
#endif

namespace acre::base {

#if ACRE_HAS_WIDE_LOOPS
[[nodiscard]] inline bool processor_is_wide() noexcept {
  static const bool is_wide = __builtin_cpu_supports("avx2") != 0 &&
                              __builtin_cpu_supports("bmi") != 0 &&
                              __builtin_cpu_supports("bmi2") != 0;
  return is_wide;
}

[[nodiscard]] inline bool processor_has_avx512() noexcept {
  static const bool has_it = processor_is_wide() && __builtin_cpu_supports("avx512f") != 0 &&
                             __builtin_cpu_supports("avx512bw") != 0 &&
                             __builtin_cpu_supports("avx512dq") != 0 &&
                             __builtin_cpu_supports("avx512vl") != 0;
  return has_it;
}

template <class F>
ACRE_WIDE decltype(auto) compiled_wide(F& f) {
  return f();
}
#endif

/// Returns f(). For a wide processor, f and its calls are inlined.
template <class F>
[[gnu::always_inline]] inline decltype(auto) in_wide_loops(F&& f) {
#if ACRE_HAS_WIDE_LOOPS
  if (processor_is_wide()) return compiled_wide(f);
#endif
  return f();
}

}  // namespace acre::base
