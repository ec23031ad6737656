/* The types of OpenSHMEM 1.5, by what can be done with them, as lists: each calls
 * X(NAME, TYPE, A) for the NAME that stands in the names of routines, the C type that it means,
 * and whatever A the list was given. */
#ifndef ACRE_SHMEM_TYPES_H
#define ACRE_SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* C++ has these as an extension, as they must look in the routines of a C library. */
__extension__ typedef float _Complex acre_shmem_complexf;
__extension__ typedef double _Complex acre_shmem_complexd;

/* The integers of C, each of another type than the others: what generics choose by. */
#define ACRE_SHMEM_BASIC_INTEGERS(X, A) \
  X(char, char, A)                      \
  X(schar, signed char, A)              \
  X(short, short, A)                    \
  X(int, int, A)                        \
  X(long, long, A)                      \
  X(longlong, long long, A)             \
  X(uchar, unsigned char, A)            \
  X(ushort, unsigned short, A)          \
  X(uint, unsigned int, A)              \
  X(ulong, unsigned long, A)            \
  X(ulonglong, unsigned long long, A)

#define ACRE_SHMEM_FLOATS(X, A) \
  X(float, float, A)            \
  X(double, double, A)          \
  X(longdouble, long double, A)

/* Names for integers that have another name already. */
#define ACRE_SHMEM_SIZED_INTEGERS(X, A) \
  X(int8, int8_t, A)                    \
  X(int16, int16_t, A)                  \
  X(int32, int32_t, A)                  \
  X(int64, int64_t, A)                  \
  X(uint8, uint8_t, A)                  \
  X(uint16, uint16_t, A)                \
  X(uint32, uint32_t, A)                \
  X(uint64, uint64_t, A)                \
  X(size, size_t, A)                    \
  X(ptrdiff, ptrdiff_t, A)

/* Table 5 of the standard: remote memory access, and most collectives. */
#define ACRE_SHMEM_BASIC_TYPES(X, A) ACRE_SHMEM_FLOATS(X, A) ACRE_SHMEM_BASIC_INTEGERS(X, A)
#define ACRE_SHMEM_RMA_TYPES(X, A) ACRE_SHMEM_BASIC_TYPES(X, A) ACRE_SHMEM_SIZED_INTEGERS(X, A)

/* Atomic memory operations: the standard types, the extended ones, those with bits. */
#define ACRE_SHMEM_BASIC_BITWISE_TYPES(X, A) \
  X(uint, unsigned int, A)                   \
  X(ulong, unsigned long, A)                 \
  X(ulonglong, unsigned long long, A)
#define ACRE_SHMEM_BITWISE_TYPES(X, A) \
  ACRE_SHMEM_BASIC_BITWISE_TYPES(X, A) \
  X(int32, int32_t, A)                 \
  X(int64, int64_t, A)                 \
  X(uint32, uint32_t, A)               \
  X(uint64, uint64_t, A)
#define ACRE_SHMEM_BASIC_AMO_TYPES(X, A) \
  X(int, int, A)                         \
  X(long, long, A)                       \
  X(longlong, long long, A)              \
  ACRE_SHMEM_BASIC_BITWISE_TYPES(X, A)
#define ACRE_SHMEM_AMO_TYPES(X, A) \
  ACRE_SHMEM_BASIC_AMO_TYPES(X, A) \
  X(int32, int32_t, A)             \
  X(int64, int64_t, A)             \
  X(uint32, uint32_t, A)           \
  X(uint64, uint64_t, A)           \
  X(size, size_t, A)               \
  X(ptrdiff, ptrdiff_t, A)
#define ACRE_SHMEM_BASIC_EXTENDED_AMO_TYPES(X, A) \
  X(float, float, A)                              \
  X(double, double, A)                            \
  ACRE_SHMEM_BASIC_AMO_TYPES(X, A)
#define ACRE_SHMEM_EXTENDED_AMO_TYPES(X, A) \
  X(float, float, A) X(double, double, A) ACRE_SHMEM_AMO_TYPES(X, A)

/* Point-to-point synchronisation waits for the standard types of atomics. */
#define ACRE_SHMEM_SYNC_TYPES(X, A) ACRE_SHMEM_AMO_TYPES(X, A)
#define ACRE_SHMEM_BASIC_SYNC_TYPES(X, A) ACRE_SHMEM_BASIC_AMO_TYPES(X, A)

/* Reductions of teams: bits; order; arithmetic. */
#define ACRE_SHMEM_BASIC_BITS_REDUCE_TYPES(X, A) \
  X(uchar, unsigned char, A)                     \
  X(ushort, unsigned short, A)                   \
  X(uint, unsigned int, A)                       \
  X(ulong, unsigned long, A)                     \
  X(ulonglong, unsigned long long, A)
#define ACRE_SHMEM_BITS_REDUCE_TYPES(X, A) \
  ACRE_SHMEM_BASIC_BITS_REDUCE_TYPES(X, A) \
  X(int8, int8_t, A)                       \
  X(int16, int16_t, A)                     \
  X(int32, int32_t, A)                     \
  X(int64, int64_t, A)                     \
  X(uint8, uint8_t, A)                     \
  X(uint16, uint16_t, A)                   \
  X(uint32, uint32_t, A)                   \
  X(uint64, uint64_t, A)                   \
  X(size, size_t, A)
#define ACRE_SHMEM_ORDER_REDUCE_TYPES(X, A) ACRE_SHMEM_RMA_TYPES(X, A)
#define ACRE_SHMEM_COMPLEX_TYPES(X, A) \
  X(complexf, acre_shmem_complexf, A)  \
  X(complexd, acre_shmem_complexd, A)
#define ACRE_SHMEM_SUM_REDUCE_TYPES(X, A) ACRE_SHMEM_RMA_TYPES(X, A) ACRE_SHMEM_COMPLEX_TYPES(X, A)

/* The same sets of types, each type once: what generics choose by. The sized names of 1.5 are
 * of these types: int32_t is an int, int64_t a long. */
#define ACRE_SHMEM_BITS_OF_C_TYPES(X, A) \
  ACRE_SHMEM_BASIC_BITWISE_TYPES(X, A) X(int32, int, A) X(int64, long, A)
#define ACRE_SHMEM_BITS_REDUCE_OF_C_TYPES(X, A) \
  ACRE_SHMEM_BASIC_BITS_REDUCE_TYPES(X, A)      \
  X(int8, signed char, A) X(int16, short, A) X(int32, int, A) X(int64, long, A)
#define ACRE_SHMEM_SUM_OF_C_TYPES(X, A) ACRE_SHMEM_BASIC_TYPES(X, A) ACRE_SHMEM_COMPLEX_TYPES(X, A)

/* Reductions of active sets (deprecated): X(NAME, TYPE, OPERATION). */
#define ACRE_SHMEM_TO_ALL_OF(X, NAME, TYPE) \
  X(NAME, TYPE, min) X(NAME, TYPE, max) X(NAME, TYPE, sum) X(NAME, TYPE, prod)
#define ACRE_SHMEM_TO_ALL_BITS_OF(X, NAME, TYPE) \
  X(NAME, TYPE, and) X(NAME, TYPE, or) X(NAME, TYPE, xor)
#define ACRE_SHMEM_TO_ALL(X)                        \
  ACRE_SHMEM_TO_ALL_BITS_OF(X, short, short)        \
  ACRE_SHMEM_TO_ALL_BITS_OF(X, int, int)            \
  ACRE_SHMEM_TO_ALL_BITS_OF(X, long, long)          \
  ACRE_SHMEM_TO_ALL_BITS_OF(X, longlong, long long) \
  ACRE_SHMEM_TO_ALL_OF(X, short, short)             \
  ACRE_SHMEM_TO_ALL_OF(X, int, int)                 \
  ACRE_SHMEM_TO_ALL_OF(X, long, long)               \
  ACRE_SHMEM_TO_ALL_OF(X, longlong, long long)      \
  ACRE_SHMEM_TO_ALL_OF(X, float, float)             \
  ACRE_SHMEM_TO_ALL_OF(X, double, double)           \
  ACRE_SHMEM_TO_ALL_OF(X, longdouble, long double)  \
  X(complexf, acre_shmem_complexf, sum)             \
  X(complexf, acre_shmem_complexf, prod)            \
  X(complexd, acre_shmem_complexd, sum)             \
  X(complexd, acre_shmem_complexd, prod)

/* Atomics and waits as they were named before 1.4 (deprecated). */
#define ACRE_SHMEM_OLD_AMO_TYPES(X, A) X(int, int, A) X(long, long, A) X(longlong, long long, A)
#define ACRE_SHMEM_OLD_EXTENDED_AMO_TYPES(X, A) \
  X(float, float, A) X(double, double, A) ACRE_SHMEM_OLD_AMO_TYPES(X, A)
#define ACRE_SHMEM_OLD_WAIT_TYPES(X, A) X(short, short, A) ACRE_SHMEM_OLD_AMO_TYPES(X, A)

/* Sizes in the names of untyped routines: bits, and the type that has them. */
#define ACRE_SHMEM_SIZES(X) X(8, 1) X(16, 2) X(32, 4) X(64, 8) X(128, 16)

#endif
