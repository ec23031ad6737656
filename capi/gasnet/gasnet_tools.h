/* SPDX-License-Identifier: BSD-3-Clause */
/* GASNet tools: time, memory barriers, atomics, environment, threads, process, compiler hints.
 * Header-only, thread-safe, and identical in all modes. */
#ifndef ACRE_GASNET_TOOLS_H
#define ACRE_GASNET_TOOLS_H

#ifdef __GNUC__
#pragma GCC system_header /* C89 and C++98 have no variadic macros */
#endif

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef CLOCK_MONOTONIC
#error \
    "gasnet_tools.h needs the POSIX clock: compile with -pthread, -std=gnu99 or later, or -D_POSIX_C_SOURCE=200112L"
#endif

#define GASNETT_SPEC_VERSION_MAJOR 1
#define GASNETT_SPEC_VERSION_MINOR 19
#ifndef GASNETT_THREAD_SAFE
#define GASNETT_THREAD_SAFE 1
#endif
#define GASNETT_PAGESIZE 4096
#define GASNETT_PAGESHIFT 12
#define GASNETT_CACHE_LINE_BYTES 64
#define GASNETT_MAX_THREADS 65536
#if defined(__x86_64__)
#define GASNETT_SYSTEM_TUPLE "x86_64-linux-gnu"
#elif defined(__aarch64__)
#define GASNETT_SYSTEM_TUPLE "aarch64-linux-gnu"
#else
#define GASNETT_SYSTEM_TUPLE "linux-gnu"
#endif
#define GASNETT_CONFIG_STRING "ACRE,headers"

/* Hidden by the C library under strict -std with -pthread. */
#if !defined(__cplusplus) && (!defined(_POSIX_C_SOURCE) || _POSIX_C_SOURCE < 200112L)
extern int gethostname(char* name, size_t bytes);
extern int setenv(const char* name, const char* value, int overwrite);
extern int unsetenv(const char* name);
#endif

#ifdef __cplusplus
#define GASNETT_BEGIN_EXTERNC extern "C" {
#define GASNETT_END_EXTERNC }
#define GASNETT_EXTERNC extern "C"
#else
#define GASNETT_BEGIN_EXTERNC
#define GASNETT_END_EXTERNC
#define GASNETT_EXTERNC extern
#endif

#define GASNETT_PREDICT_TRUE(condition) (__builtin_expect(!!(condition), 1))
#define GASNETT_PREDICT_FALSE(condition) (__builtin_expect(!!(condition), 0))
#ifndef PREDICT_TRUE
#define PREDICT_TRUE GASNETT_PREDICT_TRUE
#define PREDICT_FALSE GASNETT_PREDICT_FALSE
#endif
#ifndef if_pf
#define if_pf(condition) if (GASNETT_PREDICT_FALSE(condition))
#define if_pt(condition) if (GASNETT_PREDICT_TRUE(condition))
#endif
#define GASNETT_INLINE(function) static __inline__ __attribute__((__always_inline__, __unused__))
#define GASNETT_NEVER_INLINE(function, declaration) __attribute__((__noinline__)) declaration
#define GASNETT_RESTRICT __restrict__
#define GASNETT_CONST __attribute__((__const__))
#define GASNETT_PURE __attribute__((__pure__))
#define GASNETT_MALLOC __attribute__((__malloc__))
#define GASNETT_NORETURN __attribute__((__noreturn__))
#define GASNETT_USED __attribute__((__used__))
#define GASNETT_UNUSED __attribute__((__unused__))
#define GASNETT_FORMAT_PRINTF(function, format, arguments, declaration) \
  __attribute__((__format__(__printf__, format, arguments))) declaration
#define GASNETT_FORMAT_PRINTF_FUNCPTR(function, format, arguments, declaration) \
  __attribute__((__format__(__printf__, format, arguments))) declaration
#define GASNETT_WARN_UNUSED_RESULT __attribute__((__warn_unused_result__))
#define GASNETT_DEPRECATED __attribute__((__deprecated__))
#define GASNETT_HOT __attribute__((__hot__))
#define GASNETT_COLD __attribute__((__cold__))
#define GASNETT_PLEASE_INLINE(function) static __inline__ __attribute__((__unused__))
#define gasnett_constant_p(expression) __builtin_constant_p(expression)
#define gasnett_unreachable() __builtin_unreachable()
#if defined(__has_attribute)
#if __has_attribute(__fallthrough__)
#define GASNETT_FALLTHROUGH __attribute__((__fallthrough__));
#endif
#endif
#ifndef GASNETT_FALLTHROUGH
#define GASNETT_FALLTHROUGH
#endif
#define GASNETT_NORETURNP(function)
#define GASNETT_MALLOCP(function)
#define GASNETT_PUREP(function)
#define GASNETT_CONSTP(function)
/* Text that `strings` and `ident` find in the program. */
#define GASNETT_IDENT(name, text) \
  extern char const name[];       \
  __attribute__((__used__)) char const name[] = text
#define GASNETT_PREFETCH_READ_HINT(address) __builtin_prefetch((address), 0)
#define GASNETT_PREFETCH_WRITE_HINT(address) __builtin_prefetch((address), 1)
#define GASNETT_CURRENT_FUNCTION __func__
#define ACRE_GASNETT_QUOTED(text) #text
#define ACRE_GASNETT_TEXT(name) ACRE_GASNETT_QUOTED(name)

/* --- traces and statistics: not supported --- */

#define GASNETT_TRACE_ENABLED 0
#define GASNETT_STATS_ENABLED 0
#define GASNETT_TRACE_PRINTF(...) ((void)0)
#define GASNETT_TRACE_PRINTF_FORCE(...) ((void)0)
#define GASNETT_STATS_PRINTF(...) ((void)0)
#define GASNETT_STATS_PRINTF_FORCE(...) ((void)0)
#define GASNETT_STATS_INIT(callback) ((void)0)
#define GASNETT_TRACE_GETMASK() ""
#define GASNETT_STATS_GETMASK() ""
#define GASNETT_TRACE_SETMASK(mask) ((void)(mask))
#define GASNETT_STATS_SETMASK(mask) ((void)(mask))
#define GASNETT_TRACE_GET_TRACELOCAL() 0
#define GASNETT_TRACE_SET_TRACELOCAL(value) ((void)(value))
#define GASNETT_TRACE_SETSOURCELINE(file, line) ((void)(file), (void)(line))
#define GASNETT_TRACE_GETSOURCELINE(file, line) (*(file) = NULL, (void)(*(line) = 0))
#define GASNETT_TRACE_FREEZESOURCELINE() ((void)0)
#define GASNETT_TRACE_UNFREEZESOURCELINE() ((void)0)

#define ACRE_GASNETT_TOOL static __inline__ __attribute__((__unused__))

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds, monotonic. */
typedef uint64_t gasnett_tick_t;
#define GASNETT_TICK_MIN ((gasnett_tick_t)0)
#define GASNETT_TICK_MAX (~(gasnett_tick_t)0)

ACRE_GASNETT_TOOL gasnett_tick_t gasnett_ticks_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (gasnett_tick_t)now.tv_sec * 1000000000u + (gasnett_tick_t)now.tv_nsec;
}
ACRE_GASNETT_TOOL uint64_t gasnett_ticks_to_ns(gasnett_tick_t ticks) { return ticks; }
ACRE_GASNETT_TOOL uint64_t gasnett_ticks_to_us(gasnett_tick_t ticks) { return ticks / 1000; }
ACRE_GASNETT_TOOL double gasnett_tick_granularity(void) {
  struct timespec step;
  clock_getres(CLOCK_MONOTONIC, &step);
  return (double)step.tv_sec * 1e6 + (double)step.tv_nsec / 1e3;
}
ACRE_GASNETT_TOOL double gasnett_tick_overhead(void) {
  enum { times = 1000 };
  const gasnett_tick_t begin = gasnett_ticks_now();
  int i;
  for (i = 1; i < times; ++i) (void)gasnett_ticks_now();
  return (double)(gasnett_ticks_now() - begin) / 1e3 / (double)times;
}
#define gasnett_tick_granularityus() gasnett_tick_granularity()
#define gasnett_tick_overheadus() gasnett_tick_overhead()
ACRE_GASNETT_TOOL uint64_t gasnett_gettimeofday_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}
#define GASNETT_TICK_GRANULARITY_STR "clock_gettime(CLOCK_MONOTONIC)"

ACRE_GASNETT_TOOL int gasnett_nsleep(uint64_t ns) {
  struct timespec left;
  left.tv_sec = (time_t)(ns / 1000000000u);
  left.tv_nsec = (long)(ns % 1000000000u);
  while (nanosleep(&left, &left) != 0) {
    if (errno != EINTR) return -1;
  }
  return 0;
}
ACRE_GASNETT_TOOL void gasnett_sched_yield(void) { (void)sched_yield(); }
ACRE_GASNETT_TOOL void gasnett_spinloop_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield" ::: "memory");
#else
  __asm__ __volatile__("" ::: "memory");
#endif
}
#define gasnett_spinloop_until(condition)         \
  do {                                            \
    while (!(condition)) gasnett_spinloop_hint(); \
    gasnett_local_rmb();                          \
  } while (0)

ACRE_GASNETT_TOOL int gasnett_cpu_count(void) {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 0;
}
ACRE_GASNETT_TOOL const char* gasnett_gethostname(void) {
  static __thread char name[256];
  if (gethostname(name, sizeof name - 1) != 0) strcpy(name, "unknown");
  return name;
}
ACRE_GASNETT_TOOL uint64_t gasnett_getPhysMemSz(int must_be_known) {
  const long pages = sysconf(_SC_PHYS_PAGES);
  (void)must_be_known;
  return pages > 0 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}
ACRE_GASNETT_TOOL void gasnett_flush_streams(void) { fflush(NULL); }
/* Pins the calling thread to one CPU; requires _GNU_SOURCE. */
ACRE_GASNETT_TOOL void gasnett_set_affinity(int rank) {
#ifdef CPU_SET
  const int count = gasnett_cpu_count();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET((size_t)(count > 0 ? rank % count : 0), &one);
  (void)sched_setaffinity(0, sizeof one, &one);
#else
  (void)rank;
#endif
}

ACRE_GASNETT_TOOL void gasnett_local_wmb(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }
ACRE_GASNETT_TOOL void gasnett_local_rmb(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
ACRE_GASNETT_TOOL void gasnett_local_mb(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#define gasnett_local_membar() gasnett_local_mb()
ACRE_GASNETT_TOOL void gasnett_compiler_fence(void) { __asm__ __volatile__("" ::: "memory"); }
ACRE_GASNETT_TOOL void gasnett_weak_wmb(void) { gasnett_local_wmb(); }
ACRE_GASNETT_TOOL void gasnett_weak_rmb(void) { gasnett_local_rmb(); }
ACRE_GASNETT_TOOL void gasnett_weak_mb(void) { gasnett_local_mb(); }

#define GASNETT_ATOMIC_NONE 0
#define GASNETT_ATOMIC_RMB_PRE 0x01
#define GASNETT_ATOMIC_RMB_POST 0x02
#define GASNETT_ATOMIC_RMB_POST_IF_TRUE 0x04
#define GASNETT_ATOMIC_RMB_POST_IF_FALSE 0x08
#define GASNETT_ATOMIC_WMB_PRE 0x10
#define GASNETT_ATOMIC_WMB_POST 0x20
#define GASNETT_ATOMIC_MB_PRE (GASNETT_ATOMIC_WMB_PRE | GASNETT_ATOMIC_RMB_PRE)
#define GASNETT_ATOMIC_MB_POST (GASNETT_ATOMIC_WMB_POST | GASNETT_ATOMIC_RMB_POST)
#define GASNETT_ATOMIC_REL GASNETT_ATOMIC_MB_PRE
#define GASNETT_ATOMIC_ACQ GASNETT_ATOMIC_MB_POST
#define GASNETT_ATOMIC_ACQ_IF_TRUE GASNETT_ATOMIC_RMB_POST_IF_TRUE
#define GASNETT_ATOMIC_ACQ_IF_FALSE GASNETT_ATOMIC_RMB_POST_IF_FALSE
#define GASNETT_HAVE_ATOMIC_CAS 1
#define GASNETT_HAVE_ATOMIC_ADD_SUB 1
#define gasnett_atomic_init(value) {value}
#define gasnett_atomic32_init(value) {value}
#define gasnett_atomic64_init(value) {value}

/* Only a seq_cst fence orders an earlier store with a later load. */
ACRE_GASNETT_TOOL void acre_gasnett_before(int flags) {
  if (flags & GASNETT_ATOMIC_MB_PRE) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
ACRE_GASNETT_TOOL void acre_gasnett_after(int flags) {
  if (flags & (GASNETT_ATOMIC_MB_POST | GASNETT_ATOMIC_RMB_POST_IF_TRUE |
               GASNETT_ATOMIC_RMB_POST_IF_FALSE)) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

#define ACRE_GASNETT_ATOMIC(NAME, VALUE, SIGNED)                                               \
  typedef struct {                                                                             \
    VALUE acre_value;                                                                          \
  } NAME##_t;                                                                                  \
  ACRE_GASNETT_TOOL VALUE NAME##_read(NAME##_t const volatile* p, int flags) {                 \
    VALUE seen;                                                                                \
    acre_gasnett_before(flags);                                                                \
    seen = __atomic_load_n(&p->acre_value, __ATOMIC_RELAXED);                                  \
    acre_gasnett_after(flags);                                                                 \
    return seen;                                                                               \
  }                                                                                            \
  ACRE_GASNETT_TOOL void NAME##_set(NAME##_t volatile* p, VALUE value, int flags) {            \
    acre_gasnett_before(flags);                                                                \
    __atomic_store_n(&p->acre_value, value, __ATOMIC_RELAXED);                                 \
    acre_gasnett_after(flags);                                                                 \
  }                                                                                            \
  ACRE_GASNETT_TOOL VALUE NAME##_add(NAME##_t volatile* p, VALUE value, int flags) {           \
    VALUE sum;                                                                                 \
    acre_gasnett_before(flags);                                                                \
    sum = __atomic_add_fetch(&p->acre_value, value, __ATOMIC_RELAXED);                         \
    acre_gasnett_after(flags);                                                                 \
    return sum;                                                                                \
  }                                                                                            \
  ACRE_GASNETT_TOOL VALUE NAME##_subtract(NAME##_t volatile* p, VALUE value, int flags) {      \
    return NAME##_add(p, (VALUE)(0 - value), flags);                                           \
  }                                                                                            \
  ACRE_GASNETT_TOOL void NAME##_increment(NAME##_t volatile* p, int flags) {                   \
    (void)NAME##_add(p, 1, flags);                                                             \
  }                                                                                            \
  ACRE_GASNETT_TOOL void NAME##_decrement(NAME##_t volatile* p, int flags) {                   \
    (void)NAME##_subtract(p, 1, flags);                                                        \
  }                                                                                            \
  ACRE_GASNETT_TOOL int NAME##_decrement_and_test(NAME##_t volatile* p, int flags) {           \
    return NAME##_subtract(p, 1, flags) == 0;                                                  \
  }                                                                                            \
  ACRE_GASNETT_TOOL int NAME##_compare_and_swap(NAME##_t volatile* p, VALUE expected,          \
                                                VALUE wanted, int flags) {                     \
    int done;                                                                                  \
    acre_gasnett_before(flags);                                                                \
    done = __atomic_compare_exchange_n(&p->acre_value, &expected, wanted, 0, __ATOMIC_RELAXED, \
                                       __ATOMIC_RELAXED);                                      \
    acre_gasnett_after(flags);                                                                 \
    return done;                                                                               \
  }                                                                                            \
  ACRE_GASNETT_TOOL VALUE NAME##_swap(NAME##_t volatile* p, VALUE wanted, int flags) {         \
    VALUE before;                                                                              \
    acre_gasnett_before(flags);                                                                \
    before = __atomic_exchange_n(&p->acre_value, wanted, __ATOMIC_RELAXED);                    \
    acre_gasnett_after(flags);                                                                 \
    return before;                                                                             \
  }                                                                                            \
  ACRE_GASNETT_TOOL SIGNED NAME##_signed(VALUE value) { return (SIGNED)value; }

typedef uint32_t gasnett_atomic_val_t;
typedef int32_t gasnett_atomic_sval_t;
ACRE_GASNETT_ATOMIC(gasnett_atomic, gasnett_atomic_val_t, gasnett_atomic_sval_t)
ACRE_GASNETT_ATOMIC(gasnett_atomic32, uint32_t, int32_t)
ACRE_GASNETT_ATOMIC(gasnett_atomic64, uint64_t, int64_t)
/* The atomics are atomic also with respect to signal handlers and other processes. */
#define GASNETT_HAVE_STRONGATOMIC_CAS 1
#define GASNETT_HAVE_STRONGATOMIC_ADD_SUB 1
typedef gasnett_atomic_val_t gasnett_strongatomic_val_t;
typedef gasnett_atomic_sval_t gasnett_strongatomic_sval_t;
#define gasnett_strongatomic_init(value) gasnett_atomic_init(value)
#define gasnett_strongatomic32_init(value) gasnett_atomic32_init(value)
#define gasnett_strongatomic64_init(value) gasnett_atomic64_init(value)
ACRE_GASNETT_ATOMIC(gasnett_strongatomic, gasnett_strongatomic_val_t, gasnett_strongatomic_sval_t)
ACRE_GASNETT_ATOMIC(gasnett_strongatomic32, uint32_t, int32_t)
ACRE_GASNETT_ATOMIC(gasnett_strongatomic64, uint64_t, int64_t)
#undef ACRE_GASNETT_ATOMIC
#define GASNETT_ATOMIC_MAX ((gasnett_atomic_val_t)0xFFFFFFFFu)
#define GASNETT_ATOMIC_SIGNED_MIN ((gasnett_atomic_sval_t)(-0x7FFFFFFF - 1))
#define GASNETT_ATOMIC_SIGNED_MAX ((gasnett_atomic_sval_t)0x7FFFFFFF)

ACRE_GASNETT_TOOL char* gasnett_getenv(const char* name) { return getenv(name); }
ACRE_GASNETT_TOOL void gasnett_setenv(const char* name, const char* value) {
  (void)setenv(name, value, 1);
}
ACRE_GASNETT_TOOL void gasnett_unsetenv(const char* name) { (void)unsetenv(name); }
ACRE_GASNETT_TOOL char* gasnett_getenv_withdefault(const char* name, const char* otherwise) {
  char* const value = getenv(name);
  return value != NULL && *value != '\0' ? value : (char*)otherwise;
}
/* True if the value begins with y or Y, or is a non-zero number. */
ACRE_GASNETT_TOOL int gasnett_getenv_yesno_withdefault(const char* name, int otherwise) {
  const char* const value = gasnett_getenv_withdefault(name, NULL);
  if (value == NULL) return otherwise;
  return *value == 'y' || *value == 'Y' || strtol(value, NULL, 0) != 0;
}
/* Number with optional suffix K, M, G or T (powers of 1024), else multiplied by `unit`. If `unit`
 * is 0: an integer without suffix. */
ACRE_GASNETT_TOOL int64_t gasnett_parse_int(const char* text, uint64_t unit) {
  static const char letters[] = "KMGT";
  char* end;
  const char* letter;
  double number;
  if (unit == 0) return (int64_t)strtoll(text, NULL, 0);
  number = strtod(text, &end);
  while (*end == ' ') ++end;
  letter = *end == '\0' ? NULL : strchr(letters, *end & ~0x20);
  if (letter == NULL) return (int64_t)(number * (double)unit);
  return (int64_t)(number * (double)((uint64_t)1 << 10 * (letter - letters + 1)));
}
ACRE_GASNETT_TOOL int64_t gasnett_getenv_int_withdefault(const char* name, int64_t otherwise,
                                                         uint64_t unit) {
  const char* const value = gasnett_getenv_withdefault(name, NULL);
  return value == NULL ? otherwise : gasnett_parse_int(value, unit);
}
ACRE_GASNETT_TOOL double gasnett_getenv_dbl_withdefault(const char* name, double otherwise) {
  const char* const value = gasnett_getenv_withdefault(name, NULL);
  char* end;
  double number;
  if (value == NULL) return otherwise;
  number = strtod(value, &end);
  return *end == '/' ? number / strtod(end + 1, NULL) : number;
}

/* Thread-local pointer, initially null. Declare it in a header, define it in one source; no
 * initialization. */
#define GASNETT_THREADKEY_DECLARE(key) extern __thread void* acre_gasnett_key_##key
#define GASNETT_THREADKEY_DEFINE(key) __thread void* acre_gasnett_key_##key = NULL
#define gasnett_threadkey_init(key) ((void)0)
#define gasnett_threadkey_get(key) (acre_gasnett_key_##key)
#define gasnett_threadkey_get_noinit(key) (acre_gasnett_key_##key)
#define gasnett_threadkey_set(key, value) ((void)(acre_gasnett_key_##key = (void*)(value)))
#define gasnett_threadkey_set_noinit(key, value) gasnett_threadkey_set(key, value)
#define GASNETI_THREADKEY_DECLARE(key) GASNETT_THREADKEY_DECLARE(key)
#define GASNETI_THREADKEY_DEFINE(key) GASNETT_THREADKEY_DEFINE(key)

#include "acre_gasnett_process.h"
#include "acre_gasnett_threads.h"

#ifdef __cplusplus
}
#endif

#endif
