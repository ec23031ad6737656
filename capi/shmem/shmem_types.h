/* SPDX-License-Identifier: BSD-3-Clause */
/* Types of OpenSHMEM 1.5 as lists, by supported operation. Each calls X(NAME, TYPE, A): NAME in
 * routine names, C type, and the list's argument A. */
#ifndef ACRE_SHMEM_TYPES_H
#define ACRE_SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef float _Complex acre_shmem_complexf;
__extension__ typedef double _Complex acre_shmem_complexd;

/* Distinct C types. "Wide": int and longer; "word": floats up to eight bytes. */
#define ACRE_SHMEM_SIGNED_WIDE(X, A) X(int, int, A) X(long, long, A) X(longlong, long long, A)
#define ACRE_SHMEM_SIGNED(X, A) X(short, short, A) ACRE_SHMEM_SIGNED_WIDE(X, A)
#define ACRE_SHMEM_UNSIGNED_WIDE(X, A) \
  X(uint, unsigned int, A) X(ulong, unsigned long, A) X(ulonglong, unsigned long long, A)
#define ACRE_SHMEM_UNSIGNED(X, A) \
  X(uchar, unsigned char, A) X(ushort, unsigned short, A) ACRE_SHMEM_UNSIGNED_WIDE(X, A)
#define ACRE_SHMEM_WORD_FLOATS(X, A) X(float, float, A) X(double, double, A)
#define ACRE_SHMEM_FLOATS(X, A) ACRE_SHMEM_WORD_FLOATS(X, A) X(longdouble, long double, A)
#define ACRE_SHMEM_COMPLEX_TYPES(X, A) \
  X(complexf, acre_shmem_complexf, A) X(complexd, acre_shmem_complexd, A)

#define ACRE_SHMEM_SIZED_NARROW(X, A) \
  X(int8, int8_t, A) X(int16, int16_t, A) X(uint8, uint8_t, A) X(uint16, uint16_t, A)
#define ACRE_SHMEM_SIZED_WIDE(X, A) \
  X(int32, int32_t, A) X(int64, int64_t, A) X(uint32, uint32_t, A) X(uint64, uint64_t, A)
#define ACRE_SHMEM_SIZED_POINTERS(X, A) X(size, size_t, A) X(ptrdiff, ptrdiff_t, A)

/* BASIC lists contain each type once, for generics. */

/* Table 5: remote memory access, most collectives. */
#define ACRE_SHMEM_BASIC_TYPES(X, A) \
  ACRE_SHMEM_FLOATS(X, A)            \
  X(char, char, A)                   \
  X(schar, signed char, A)           \
  ACRE_SHMEM_SIGNED(X, A)            \
  ACRE_SHMEM_UNSIGNED(X, A)
#define ACRE_SHMEM_RMA_TYPES(X, A) \
  ACRE_SHMEM_BASIC_TYPES(X, A)     \
  ACRE_SHMEM_SIZED_NARROW(X, A)    \
  ACRE_SHMEM_SIZED_WIDE(X, A)      \
  ACRE_SHMEM_SIZED_POINTERS(X, A)

/* Atomics: standard, extended, bitwise (int, long and long long too, as Open MPI has them). */
#define ACRE_SHMEM_BASIC_AMO_TYPES(X, A) ACRE_SHMEM_SIGNED_WIDE(X, A) ACRE_SHMEM_UNSIGNED_WIDE(X, A)
#define ACRE_SHMEM_AMO_TYPES(X, A) \
  ACRE_SHMEM_BASIC_AMO_TYPES(X, A) ACRE_SHMEM_SIZED_WIDE(X, A) ACRE_SHMEM_SIZED_POINTERS(X, A)
#define ACRE_SHMEM_BASIC_EXTENDED_AMO_TYPES(X, A) \
  ACRE_SHMEM_WORD_FLOATS(X, A) ACRE_SHMEM_BASIC_AMO_TYPES(X, A)
#define ACRE_SHMEM_EXTENDED_AMO_TYPES(X, A) ACRE_SHMEM_WORD_FLOATS(X, A) ACRE_SHMEM_AMO_TYPES(X, A)
#define ACRE_SHMEM_BASIC_BITWISE_TYPES(X, A) ACRE_SHMEM_BASIC_AMO_TYPES(X, A)
#define ACRE_SHMEM_BITWISE_TYPES(X, A) ACRE_SHMEM_BASIC_AMO_TYPES(X, A) ACRE_SHMEM_SIZED_WIDE(X, A)

/* Point-to-point synchronisation: standard atomic types, plus two from drafts of 1.5 that programs
 * use. */
#define ACRE_SHMEM_OLD_SYNC_TYPES(X, A) X(short, short, A) X(ushort, unsigned short, A)
#define ACRE_SHMEM_BASIC_SYNC_TYPES(X, A) \
  ACRE_SHMEM_BASIC_AMO_TYPES(X, A) ACRE_SHMEM_OLD_SYNC_TYPES(X, A)
#define ACRE_SHMEM_SYNC_TYPES(X, A) ACRE_SHMEM_AMO_TYPES(X, A) ACRE_SHMEM_OLD_SYNC_TYPES(X, A)

/* Team reductions: bits (long long too, as programs expect), order, arithmetic. */
#define ACRE_SHMEM_BASIC_BITS_REDUCE_TYPES(X, A) \
  ACRE_SHMEM_UNSIGNED(X, A)                      \
  X(longlong, long long, A)                      \
  X(int8, signed char, A) X(int16, short, A) X(int32, int, A) X(int64, long, A)
#define ACRE_SHMEM_BITS_REDUCE_TYPES(X, A) \
  ACRE_SHMEM_UNSIGNED(X, A)                \
  X(longlong, long long, A)                \
  ACRE_SHMEM_SIZED_NARROW(X, A)            \
  ACRE_SHMEM_SIZED_WIDE(X, A)              \
  X(size, size_t, A)
#define ACRE_SHMEM_BASIC_ORDER_REDUCE_TYPES(X, A) ACRE_SHMEM_BASIC_TYPES(X, A)
#define ACRE_SHMEM_ORDER_REDUCE_TYPES(X, A) ACRE_SHMEM_RMA_TYPES(X, A)
#define ACRE_SHMEM_BASIC_SUM_REDUCE_TYPES(X, A) \
  ACRE_SHMEM_BASIC_TYPES(X, A) ACRE_SHMEM_COMPLEX_TYPES(X, A)
#define ACRE_SHMEM_SUM_REDUCE_TYPES(X, A) ACRE_SHMEM_RMA_TYPES(X, A) ACRE_SHMEM_COMPLEX_TYPES(X, A)

/* Deprecated: names before 1.4, and active-set reductions. */
#define ACRE_SHMEM_OLD_AMO_TYPES(X, A) ACRE_SHMEM_SIGNED_WIDE(X, A)
#define ACRE_SHMEM_OLD_EXTENDED_AMO_TYPES(X, A) \
  ACRE_SHMEM_WORD_FLOATS(X, A) ACRE_SHMEM_SIGNED_WIDE(X, A)
#define ACRE_SHMEM_OLD_WAIT_TYPES(X, A) ACRE_SHMEM_SIGNED(X, A)
#define ACRE_SHMEM_OLD_BITS_REDUCE_TYPES(X, A) ACRE_SHMEM_SIGNED(X, A)
#define ACRE_SHMEM_OLD_ORDER_REDUCE_TYPES(X, A) ACRE_SHMEM_SIGNED(X, A) ACRE_SHMEM_FLOATS(X, A)
#define ACRE_SHMEM_OLD_SUM_REDUCE_TYPES(X, A) \
  ACRE_SHMEM_OLD_ORDER_REDUCE_TYPES(X, A) ACRE_SHMEM_COMPLEX_TYPES(X, A)

/* Reductions of teams, of generics, and of active sets: X(NAME, TYPE, OPERATION). */
#define ACRE_SHMEM_REDUCTIONS(X)                                \
  ACRE_SHMEM_BITS_REDUCE_TYPES(ACRE_SHMEM_BITS_OPERATIONS, X)   \
  ACRE_SHMEM_ORDER_REDUCE_TYPES(ACRE_SHMEM_ORDER_OPERATIONS, X) \
  ACRE_SHMEM_SUM_REDUCE_TYPES(ACRE_SHMEM_SUM_OPERATIONS, X)
#define ACRE_SHMEM_BASIC_REDUCTIONS(X)                                \
  ACRE_SHMEM_BASIC_BITS_REDUCE_TYPES(ACRE_SHMEM_BITS_OPERATIONS, X)   \
  ACRE_SHMEM_BASIC_ORDER_REDUCE_TYPES(ACRE_SHMEM_ORDER_OPERATIONS, X) \
  ACRE_SHMEM_BASIC_SUM_REDUCE_TYPES(ACRE_SHMEM_SUM_OPERATIONS, X)
#define ACRE_SHMEM_OLD_REDUCTIONS(X)                                \
  ACRE_SHMEM_OLD_BITS_REDUCE_TYPES(ACRE_SHMEM_BITS_OPERATIONS, X)   \
  ACRE_SHMEM_OLD_ORDER_REDUCE_TYPES(ACRE_SHMEM_ORDER_OPERATIONS, X) \
  ACRE_SHMEM_OLD_SUM_REDUCE_TYPES(ACRE_SHMEM_SUM_OPERATIONS, X)
#define ACRE_SHMEM_BITS_OPERATIONS(NAME, TYPE, X) \
  X(NAME, TYPE, and) X(NAME, TYPE, or) X(NAME, TYPE, xor)
#define ACRE_SHMEM_ORDER_OPERATIONS(NAME, TYPE, X) X(NAME, TYPE, min) X(NAME, TYPE, max)
#define ACRE_SHMEM_SUM_OPERATIONS(NAME, TYPE, X) X(NAME, TYPE, sum) X(NAME, TYPE, prod)

/* Sizes of untyped routines: X(BITS, BYTES, A). */
#define ACRE_SHMEM_SIZES(X, A) X(8, 1, A) X(16, 2, A) X(32, 4, A) X(64, 8, A) X(128, 16, A)

#endif
