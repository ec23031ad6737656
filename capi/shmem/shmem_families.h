/* SPDX-License-Identifier: BSD-3-Clause */
/* Typed and sized routines of OpenSHMEM 1.5. Declarations, overloads and definitions expand these
 * lists, which call
 *
 *   X(RESULT, NAME, ROUTINE, ELEMENT, PARAMETERS, ARGUMENTS)
 *
 * as in X(int, int_g, g, int, (const int* source, int pe), (source, pe)). NAME and ROUTINE follow
 * shmem_ in the typed and the generic name; ELEMENT has the size of an element. BASIC_ lists
 * contain the candidates of generic routines. */
#ifndef ACRE_SHMEM_FAMILIES_H
#define ACRE_SHMEM_FAMILIES_H

#include "shmem_types.h"

#define ACRE_SHMEM_INSIDE(...) __VA_ARGS__

/* --- also with a context: (shmem_ctx_t ctx, PARAMETERS) -------------------------------- */

#define ACRE_SHMEM_RMA(X)                         \
  ACRE_SHMEM_RMA_TYPES(ACRE_SHMEM_RMA_OF_TYPE, X) \
  ACRE_SHMEM_SIZES(ACRE_SHMEM_RMA_OF_SIZE, X)     \
  ACRE_SHMEM_BLOCKS(, mem, void, char, X)
#define ACRE_SHMEM_BASIC_RMA(X) ACRE_SHMEM_BASIC_TYPES(ACRE_SHMEM_RMA_OF_TYPE, X)

#define ACRE_SHMEM_RMA_OF_TYPE(NAME, TYPE, X)                                      \
  ACRE_SHMEM_BLOCKS(NAME##_, , TYPE, TYPE, X)                                      \
  ACRE_SHMEM_STRIDES(NAME##_, , TYPE, TYPE, X)                                     \
  X(void, NAME##_p, p, TYPE, (TYPE * dest, TYPE value, int pe), (dest, value, pe)) \
  X(TYPE, NAME##_g, g, TYPE, (const TYPE* source, int pe), (source, pe))
#define ACRE_SHMEM_RMA_OF_SIZE(BITS, BYTES, X)    \
  ACRE_SHMEM_BLOCKS(, BITS, void, char[BYTES], X) \
  ACRE_SHMEM_STRIDES(, BITS, void, char[BYTES], X)

/* BEFORE, AFTER: name parts around put and get; T: pointee. */
#define ACRE_SHMEM_BLOCKS(BEFORE, AFTER, T, ELEMENT, X)                             \
  ACRE_SHMEM_AND_NBI(void, BEFORE##put##AFTER, put, ELEMENT,                        \
                     (T * dest, const T* source, size_t nelems, int pe),            \
                     (dest, source, nelems, pe), X)                                 \
  ACRE_SHMEM_AND_NBI(void, BEFORE##get##AFTER, get, ELEMENT,                        \
                     (T * dest, const T* source, size_t nelems, int pe),            \
                     (dest, source, nelems, pe), X)                                 \
  ACRE_SHMEM_AND_NBI(void, BEFORE##put##AFTER##_signal, put_signal, ELEMENT,        \
                     (T * dest, const T* source, size_t nelems, uint64_t* sig_addr, \
                      uint64_t signal, int sig_op, int pe),                         \
                     (dest, source, nelems, sig_addr, signal, sig_op, pe), X)
#define ACRE_SHMEM_STRIDES(BEFORE, AFTER, T, ELEMENT, X)                              \
  X(void, BEFORE##iput##AFTER, iput, ELEMENT,                                         \
    (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), \
    (dest, source, dst, sst, nelems, pe))                                             \
  X(void, BEFORE##iget##AFTER, iget, ELEMENT,                                         \
    (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), \
    (dest, source, dst, sst, nelems, pe))
#define ACRE_SHMEM_AND_NBI(RESULT, NAME, ROUTINE, ELEMENT, PARAMETERS, ARGUMENTS, X) \
  X(RESULT, NAME, ROUTINE, ELEMENT, PARAMETERS, ARGUMENTS)                           \
  X(RESULT, NAME##_nbi, ROUTINE##_nbi, ELEMENT, PARAMETERS, ARGUMENTS)

#define ACRE_SHMEM_AMO(X)                                           \
  ACRE_SHMEM_EXTENDED_AMO_TYPES(ACRE_SHMEM_EXTENDED_AMO_OF_TYPE, X) \
  ACRE_SHMEM_AMO_TYPES(ACRE_SHMEM_AMO_OF_TYPE, X)                   \
  ACRE_SHMEM_BITWISE_TYPES(ACRE_SHMEM_BITWISE_OF_TYPE, X)
#define ACRE_SHMEM_BASIC_AMO(X)                                           \
  ACRE_SHMEM_BASIC_EXTENDED_AMO_TYPES(ACRE_SHMEM_EXTENDED_AMO_OF_TYPE, X) \
  ACRE_SHMEM_BASIC_AMO_TYPES(ACRE_SHMEM_AMO_OF_TYPE, X)                   \
  ACRE_SHMEM_BASIC_BITWISE_TYPES(ACRE_SHMEM_BITWISE_OF_TYPE, X)

#define ACRE_SHMEM_EXTENDED_AMO_OF_TYPE(NAME, TYPE, X)                                         \
  ACRE_SHMEM_FETCHING(NAME, TYPE, atomic_fetch, (const TYPE* source, int pe), (source, pe), X) \
  X(void, NAME##_atomic_set, atomic_set, TYPE, (TYPE * dest, TYPE value, int pe),              \
    (dest, value, pe))                                                                         \
  ACRE_SHMEM_FETCHING(NAME, TYPE, atomic_swap, (TYPE * dest, TYPE value, int pe),              \
                      (dest, value, pe), X)
#define ACRE_SHMEM_AMO_OF_TYPE(NAME, TYPE, X)                                                   \
  ACRE_SHMEM_FETCHING(NAME, TYPE, atomic_compare_swap,                                          \
                      (TYPE * dest, TYPE cond, TYPE value, int pe), (dest, cond, value, pe), X) \
  ACRE_SHMEM_UPDATE(NAME, TYPE, inc, (TYPE * dest, int pe), (dest, pe), X)                      \
  ACRE_SHMEM_UPDATE(NAME, TYPE, add, (TYPE * dest, TYPE value, int pe), (dest, value, pe), X)
#define ACRE_SHMEM_BITWISE_OF_TYPE(NAME, TYPE, X)                                             \
  ACRE_SHMEM_UPDATE(NAME, TYPE, and, (TYPE * dest, TYPE value, int pe), (dest, value, pe), X) \
  ACRE_SHMEM_UPDATE(NAME, TYPE, or, (TYPE * dest, TYPE value, int pe), (dest, value, pe), X)  \
  ACRE_SHMEM_UPDATE(NAME, TYPE, xor, (TYPE * dest, TYPE value, int pe), (dest, value, pe), X)

#define ACRE_SHMEM_UPDATE(NAME, TYPE, OPERATION, PARAMETERS, ARGUMENTS, X)            \
  X(void, NAME##_atomic_##OPERATION, atomic_##OPERATION, TYPE, PARAMETERS, ARGUMENTS) \
  ACRE_SHMEM_FETCHING(NAME, TYPE, atomic_fetch_##OPERATION, PARAMETERS, ARGUMENTS, X)
/* Two routines: one returns the old value, the other (_nbi) stores it in *fetch. */
#define ACRE_SHMEM_FETCHING(NAME, TYPE, ROUTINE, PARAMETERS, ARGUMENTS, X) \
  X(TYPE, NAME##_##ROUTINE, ROUTINE, TYPE, PARAMETERS, ARGUMENTS)          \
  X(void, NAME##_##ROUTINE##_nbi, ROUTINE##_nbi, TYPE,                     \
    (TYPE * fetch, ACRE_SHMEM_INSIDE PARAMETERS), (fetch, ACRE_SHMEM_INSIDE ARGUMENTS))

#define ACRE_SHMEM_SYNC(X)                          \
  ACRE_SHMEM_SYNC_TYPES(ACRE_SHMEM_WAIT_OF_TYPE, X) \
  ACRE_SHMEM_SYNC_TYPES(ACRE_SHMEM_SYNC_OF_TYPE, X)
/* shmem_wait_until on a long is a separate routine (deprecated). */
#define ACRE_SHMEM_BASIC_SYNC(X)                        \
  ACRE_SHMEM_WAIT_OF_TYPE(int, int, X)                  \
  ACRE_SHMEM_WAIT_OF_TYPE(longlong, long long, X)       \
  ACRE_SHMEM_UNSIGNED_WIDE(ACRE_SHMEM_WAIT_OF_TYPE, X)  \
  ACRE_SHMEM_OLD_SYNC_TYPES(ACRE_SHMEM_WAIT_OF_TYPE, X) \
  ACRE_SHMEM_BASIC_SYNC_TYPES(ACRE_SHMEM_SYNC_OF_TYPE, X)

#define ACRE_SHMEM_WAIT_OF_TYPE(NAME, TYPE, X)                                         \
  X(void, NAME##_wait_until, wait_until, TYPE, (TYPE * ivar, int cmp, TYPE cmp_value), \
    (ivar, cmp, cmp_value))
#define ACRE_SHMEM_TEST_OF_TYPE(NAME, TYPE, X) \
  X(int, NAME##_test, test, TYPE, (TYPE * ivar, int cmp, TYPE cmp_value), (ivar, cmp, cmp_value))
#define ACRE_SHMEM_SYNC_OF_TYPE(NAME, TYPE, X)                \
  ACRE_SHMEM_TEST_OF_TYPE(NAME, TYPE, X)                      \
  ACRE_SHMEM_MANY(NAME, TYPE, , TYPE cmp_value, cmp_value, X) \
  ACRE_SHMEM_MANY(NAME, TYPE, _vector, const TYPE* cmp_values, cmp_values, X)

#define ACRE_SHMEM_MANY(NAME, TYPE, AFTER, PARAMETER, ARGUMENT, X)                    \
  ACRE_SHMEM_WHICH(void, NAME, TYPE, wait_until_all##AFTER, PARAMETER, ARGUMENT, X)   \
  ACRE_SHMEM_WHICH(size_t, NAME, TYPE, wait_until_any##AFTER, PARAMETER, ARGUMENT, X) \
  ACRE_SHMEM_WHICH_SOME(NAME, TYPE, wait_until_some##AFTER, PARAMETER, ARGUMENT, X)   \
  ACRE_SHMEM_WHICH(int, NAME, TYPE, test_all##AFTER, PARAMETER, ARGUMENT, X)          \
  ACRE_SHMEM_WHICH(size_t, NAME, TYPE, test_any##AFTER, PARAMETER, ARGUMENT, X)       \
  ACRE_SHMEM_WHICH_SOME(NAME, TYPE, test_some##AFTER, PARAMETER, ARGUMENT, X)
#define ACRE_SHMEM_WHICH(RESULT, NAME, TYPE, ROUTINE, PARAMETER, ARGUMENT, X) \
  X(RESULT, NAME##_##ROUTINE, ROUTINE, TYPE,                                  \
    (TYPE * ivars, size_t nelems, const int* status, int cmp, PARAMETER),     \
    (ivars, nelems, status, cmp, ARGUMENT))
#define ACRE_SHMEM_WHICH_SOME(NAME, TYPE, ROUTINE, PARAMETER, ARGUMENT, X)                 \
  X(size_t, NAME##_##ROUTINE, ROUTINE, TYPE,                                               \
    (TYPE * ivars, size_t nelems, size_t* indices, const int* status, int cmp, PARAMETER), \
    (ivars, nelems, indices, status, cmp, ARGUMENT))

#define ACRE_SHMEM_COLLECTIVES(X)                         \
  ACRE_SHMEM_RMA_TYPES(ACRE_SHMEM_COLLECTIVES_OF_TYPE, X) \
  ACRE_SHMEM_EXCHANGES(, mem, void, char, X)
#define ACRE_SHMEM_BASIC_COLLECTIVES(X) ACRE_SHMEM_BASIC_TYPES(ACRE_SHMEM_COLLECTIVES_OF_TYPE, X)

#define ACRE_SHMEM_COLLECTIVES_OF_TYPE(NAME, TYPE, X) ACRE_SHMEM_EXCHANGES(NAME##_, , TYPE, TYPE, X)
#define ACRE_SHMEM_EXCHANGES(BEFORE, AFTER, T, ELEMENT, X)                                       \
  X(int, BEFORE##broadcast##AFTER, broadcast, ELEMENT,                                           \
    (shmem_team_t team, T * dest, const T* source, size_t nelems, int root),                     \
    (team, dest, source, nelems, root))                                                          \
  ACRE_SHMEM_EXCHANGE(BEFORE##collect##AFTER, collect, T, ELEMENT, X)                            \
  ACRE_SHMEM_EXCHANGE(BEFORE##fcollect##AFTER, fcollect, T, ELEMENT, X)                          \
  ACRE_SHMEM_EXCHANGE(BEFORE##alltoall##AFTER, alltoall, T, ELEMENT, X)                          \
  X(int, BEFORE##alltoalls##AFTER, alltoalls, ELEMENT,                                           \
    (shmem_team_t team, T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems), \
    (team, dest, source, dst, sst, nelems))
#define ACRE_SHMEM_EXCHANGE(NAME, ROUTINE, T, ELEMENT, X)                                       \
  X(int, NAME, ROUTINE, ELEMENT, (shmem_team_t team, T * dest, const T* source, size_t nelems), \
    (team, dest, source, nelems))

#define ACRE_SHMEM_OLD_AMO(X)                                               \
  ACRE_SHMEM_OLD_EXTENDED_AMO_TYPES(ACRE_SHMEM_OLD_EXTENDED_AMO_OF_TYPE, X) \
  ACRE_SHMEM_OLD_AMO_TYPES(ACRE_SHMEM_OLD_AMO_OF_TYPE, X)

#define ACRE_SHMEM_OLD_EXTENDED_AMO_OF_TYPE(NAME, TYPE, X)                                    \
  X(TYPE, NAME##_fetch, atomic_fetch, TYPE, (const TYPE* source, int pe), (source, pe))       \
  X(void, NAME##_set, atomic_set, TYPE, (TYPE * dest, TYPE value, int pe), (dest, value, pe)) \
  X(TYPE, NAME##_swap, atomic_swap, TYPE, (TYPE * dest, TYPE value, int pe), (dest, value, pe))
#define ACRE_SHMEM_OLD_AMO_OF_TYPE(NAME, TYPE, X)                                                \
  X(TYPE, NAME##_cswap, atomic_compare_swap, TYPE, (TYPE * dest, TYPE cond, TYPE value, int pe), \
    (dest, cond, value, pe))                                                                     \
  X(TYPE, NAME##_finc, atomic_fetch_inc, TYPE, (TYPE * dest, int pe), (dest, pe))                \
  X(TYPE, NAME##_fadd, atomic_fetch_add, TYPE, (TYPE * dest, TYPE value, int pe),                \
    (dest, value, pe))                                                                           \
  X(void, NAME##_inc, atomic_inc, TYPE, (TYPE * dest, int pe), (dest, pe))                       \
  X(void, NAME##_add, atomic_add, TYPE, (TYPE * dest, TYPE value, int pe), (dest, value, pe))

#endif
