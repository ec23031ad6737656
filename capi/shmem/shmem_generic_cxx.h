/* SPDX-License-Identifier: BSD-3-Clause */
/* C++ generics: overloads per type, with and without context. Included by shmem.h. */
#ifndef ACRE_SHMEM_GENERIC_CXX_H
#define ACRE_SHMEM_GENERIC_CXX_H

#define ACRE_SHMEM_OVERLOAD(RESULT, NAME, ROUTINE, ELEMENT, PARAMETERS, ARGUMENTS) \
  inline RESULT shmem_##ROUTINE PARAMETERS { return shmem_##NAME ARGUMENTS; }
#define ACRE_SHMEM_OVERLOAD_WITH_CTX(RESULT, NAME, ROUTINE, ELEMENT, PARAMETERS, ARGUMENTS) \
  inline RESULT shmem_##ROUTINE PARAMETERS { return shmem_##NAME ARGUMENTS; }               \
  inline RESULT shmem_##ROUTINE(shmem_ctx_t ctx, ACRE_SHMEM_INSIDE PARAMETERS) {            \
    return shmem_ctx_##NAME(ctx, ACRE_SHMEM_INSIDE ARGUMENTS);                              \
  }
#define ACRE_SHMEM_OVERLOAD_REDUCE(NAME, TYPE, OPERATION)                                  \
  inline int shmem_##OPERATION##_reduce(shmem_team_t team, TYPE* dest, const TYPE* source, \
                                        size_t nreduce) {                                  \
    return shmem_##NAME##_##OPERATION##_reduce(team, dest, source, nreduce);               \
  }

ACRE_SHMEM_BASIC_RMA(ACRE_SHMEM_OVERLOAD_WITH_CTX)
ACRE_SHMEM_BASIC_AMO(ACRE_SHMEM_OVERLOAD_WITH_CTX)
ACRE_SHMEM_BASIC_SYNC(ACRE_SHMEM_OVERLOAD)
ACRE_SHMEM_BASIC_COLLECTIVES(ACRE_SHMEM_OVERLOAD)
ACRE_SHMEM_BASIC_REDUCTIONS(ACRE_SHMEM_OVERLOAD_REDUCE)
inline int shmem_sync(shmem_team_t team) { return shmem_team_sync(team); }

#if __cplusplus >= 201103L
#define ACRE_SHMEM_OLD_NAME(OLD, ROUTINE)                                                    \
  template <class... Arguments>                                                              \
  inline auto shmem_##OLD(Arguments... arguments)->decltype(shmem_##ROUTINE(arguments...)) { \
    return shmem_##ROUTINE(arguments...);                                                    \
  }
ACRE_SHMEM_OLD_NAME(fetch, atomic_fetch)
ACRE_SHMEM_OLD_NAME(set, atomic_set)
ACRE_SHMEM_OLD_NAME(cswap, atomic_compare_swap)
ACRE_SHMEM_OLD_NAME(swap, atomic_swap)
ACRE_SHMEM_OLD_NAME(finc, atomic_fetch_inc)
ACRE_SHMEM_OLD_NAME(inc, atomic_inc)
ACRE_SHMEM_OLD_NAME(fadd, atomic_fetch_add)
ACRE_SHMEM_OLD_NAME(add, atomic_add)
#undef ACRE_SHMEM_OLD_NAME
#endif

/* For std::complex<T>, layout-compatible with C's complex; not named, to avoid its header. */
#define ACRE_SHMEM_COMPLEX_REDUCTION(NAME, T, OP)                                            \
  template <template <class> class Complex>                                                  \
  inline int shmem_##NAME##_##OP##_reduce(shmem_team_t team, Complex<T>* dest,               \
                                          const Complex<T>* source, size_t nreduce) {        \
    return shmem_##NAME##_##OP##_reduce(team, (acre_shmem_##NAME*)dest,                      \
                                        (const acre_shmem_##NAME*)source, nreduce);          \
  }                                                                                          \
  template <template <class> class Complex>                                                  \
  inline void shmem_##NAME##_##OP##_to_all(Complex<T>* dest, const Complex<T>* source,       \
                                           int nreduce, int PE_start, int logPE_stride,      \
                                           int PE_size, Complex<T>* pWrk, long* pSync) {     \
    shmem_##NAME##_##OP##_to_all((acre_shmem_##NAME*)dest, (const acre_shmem_##NAME*)source, \
                                 nreduce, PE_start, logPE_stride, PE_size,                   \
                                 (acre_shmem_##NAME*)pWrk, pSync);                           \
  }
ACRE_SHMEM_COMPLEX_REDUCTION(complexf, float, sum)
ACRE_SHMEM_COMPLEX_REDUCTION(complexf, float, prod)
ACRE_SHMEM_COMPLEX_REDUCTION(complexd, double, sum)
ACRE_SHMEM_COMPLEX_REDUCTION(complexd, double, prod)

#undef ACRE_SHMEM_COMPLEX_REDUCTION
#undef ACRE_SHMEM_OVERLOAD_REDUCE
#undef ACRE_SHMEM_OVERLOAD_WITH_CTX
#undef ACRE_SHMEM_OVERLOAD

#endif
