/* SPDX-License-Identifier: BSD-3-Clause */
/* GASNet-1 on Acre: core and extended API.
 *
 * Define GASNET_SEQ, GASNET_PARSYNC or GASNET_PAR before inclusion and link the library of that
 * mode: libacre-gasnet-seq, -parsync or -par. SEQ: one thread per process calls GASNet; PARSYNC:
 * one at a time; PAR: concurrently.
 *
 * Remote addresses must be in the segment of gasnet_attach() (GASNET_SEGMENT_FAST, _LARGE). A
 * GASNet node is an Acre rank: one process. */
#ifndef ACRE_GASNET_H
#define ACRE_GASNET_H

#ifdef __GNUC__
#pragma GCC system_header /* C89 and C++98 have no variadic macros */
#endif

#include "gasnet_config.h"

#include <inttypes.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#if defined(GASNET_SEQ) + defined(GASNET_PARSYNC) + defined(GASNET_PAR) != 1
#error "define one of GASNET_SEQ, GASNET_PARSYNC and GASNET_PAR"
#endif
#define GASNET_CONDUIT_ACRE 1
#define GASNET_CONDUIT_NAME ACRE
#define GASNET_CONDUIT_NAME_STR "ACRE"
#define GASNET_CORE_NAME ACRE
#define GASNET_CORE_NAME_STR "ACRE"
#define GASNET_CORE_VERSION 1.8
#define GASNET_CORE_VERSION_STR "1.8"
#define GASNET_EXTENDED_NAME ACRE
#define GASNET_EXTENDED_NAME_STR "ACRE"
#define GASNET_EXTENDED_VERSION 1.8
#define GASNET_EXTENDED_VERSION_STR "1.8"
#if defined(GASNET_SEQ)
#define ACRE_GASNET_MODE seq
#define GASNET_CONFIG_STRING "ACRE,SEQ,FAST"
#elif defined(GASNET_PARSYNC)
#define ACRE_GASNET_MODE parsync
#define GASNET_CONFIG_STRING "ACRE,PARSYNC,FAST"
#else
#define ACRE_GASNET_MODE par
#define GASNET_CONFIG_STRING "ACRE,PAR,FAST"
#endif

/* A mismatch of mode and library is a link error. */
#define ACRE_GASNET_PASTE(a, b) a##b
#define ACRE_GASNET_NAME(name, mode) ACRE_GASNET_PASTE(name, mode)
#define gasnet_init ACRE_GASNET_NAME(acre_gasnet_init_, ACRE_GASNET_MODE)

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t gasnet_node_t;
typedef uint8_t gasnet_handler_t;
typedef int32_t gasnet_handlerarg_t;
typedef uintptr_t gasnet_register_value_t;
typedef struct acre_gasnet_token* gasnet_token_t;
typedef struct acre_gasnet_operation* gasnet_handle_t;
typedef struct acre_gasnet_value* gasnet_valget_handle_t;
#define GASNET_INVALID_HANDLE ((gasnet_handle_t)0)

typedef struct {
  gasnet_handler_t index; /* 128 to 255; 0: is assigned and stored here */
  void (*fnptr)();
} gasnet_handlerentry_t;

typedef struct {
  void* addr;
  uintptr_t size;
} gasnet_seginfo_t;

typedef struct {
  gasnet_node_t host;      /* first node that shares this node's memory */
  gasnet_node_t supernode; /* equal to `host` */
} gasnet_nodeinfo_t;

#define GASNET_OK 0
#define GASNET_ERR_NOT_INIT 10001
#define GASNET_ERR_RESOURCE 10002
#define GASNET_ERR_BAD_ARG 10003
#define GASNET_ERR_NOT_READY 10004
#define GASNET_ERR_BARRIER_MISMATCH 10005

const char* gasnet_ErrorName(int errval);
const char* gasnet_ErrorDesc(int errval);

int gasnet_init(int* argc, char*** argv);
/* Collective: registers handlers and creates the segment (whole pages). */
int gasnet_attach(gasnet_handlerentry_t* table, int numentries, uintptr_t segsize,
                  uintptr_t minheapoffset);
/* Ends the job. Call a barrier first to let others finish. */
void gasnet_exit(int exitcode) __attribute__((noreturn));

gasnet_node_t gasnet_mynode(void);
gasnet_node_t gasnet_nodes(void);
char* gasnet_getenv(const char* name);
uintptr_t gasnet_getMaxLocalSegmentSize(void);
uintptr_t gasnet_getMaxGlobalSegmentSize(void);
int gasnet_getSegmentInfo(gasnet_seginfo_t* seginfo_table, int numentries);
int gasnet_getNodeInfo(gasnet_nodeinfo_t* nodeinfo_table, int numentries);

#define ACRE_GASNET_PARAMETERS_0
#define ACRE_GASNET_PARAMETERS_1 , gasnet_handlerarg_t a0
#define ACRE_GASNET_PARAMETERS_2 ACRE_GASNET_PARAMETERS_1, gasnet_handlerarg_t a1
#define ACRE_GASNET_PARAMETERS_3 ACRE_GASNET_PARAMETERS_2, gasnet_handlerarg_t a2
#define ACRE_GASNET_PARAMETERS_4 ACRE_GASNET_PARAMETERS_3, gasnet_handlerarg_t a3
#define ACRE_GASNET_PARAMETERS_5 ACRE_GASNET_PARAMETERS_4, gasnet_handlerarg_t a4
#define ACRE_GASNET_PARAMETERS_6 ACRE_GASNET_PARAMETERS_5, gasnet_handlerarg_t a5
#define ACRE_GASNET_PARAMETERS_7 ACRE_GASNET_PARAMETERS_6, gasnet_handlerarg_t a6
#define ACRE_GASNET_PARAMETERS_8 ACRE_GASNET_PARAMETERS_7, gasnet_handlerarg_t a7
#define ACRE_GASNET_PARAMETERS_9 ACRE_GASNET_PARAMETERS_8, gasnet_handlerarg_t a8
#define ACRE_GASNET_PARAMETERS_10 ACRE_GASNET_PARAMETERS_9, gasnet_handlerarg_t a9
#define ACRE_GASNET_PARAMETERS_11 ACRE_GASNET_PARAMETERS_10, gasnet_handlerarg_t a10
#define ACRE_GASNET_PARAMETERS_12 ACRE_GASNET_PARAMETERS_11, gasnet_handlerarg_t a11
#define ACRE_GASNET_PARAMETERS_13 ACRE_GASNET_PARAMETERS_12, gasnet_handlerarg_t a12
#define ACRE_GASNET_PARAMETERS_14 ACRE_GASNET_PARAMETERS_13, gasnet_handlerarg_t a13
#define ACRE_GASNET_PARAMETERS_15 ACRE_GASNET_PARAMETERS_14, gasnet_handlerarg_t a14
#define ACRE_GASNET_PARAMETERS_16 ACRE_GASNET_PARAMETERS_15, gasnet_handlerarg_t a15

#define ACRE_GASNET_EACH_COUNT(X) \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)

#define ACRE_GASNET_DECLARE(M)                                                                    \
  int gasnet_AMRequestShort##M(gasnet_node_t dest,                                                \
                               gasnet_handler_t handler ACRE_GASNET_PARAMETERS_##M);              \
  int gasnet_AMRequestMedium##M(gasnet_node_t dest, gasnet_handler_t handler, const void* source, \
                                size_t nbytes ACRE_GASNET_PARAMETERS_##M);                        \
  int gasnet_AMRequestLong##M(gasnet_node_t dest, gasnet_handler_t handler, const void* source,   \
                              size_t nbytes, void* dest_addr ACRE_GASNET_PARAMETERS_##M);         \
  int gasnet_AMRequestLongAsync##M(gasnet_node_t dest, gasnet_handler_t handler,                  \
                                   const void* source, size_t nbytes,                             \
                                   void* dest_addr ACRE_GASNET_PARAMETERS_##M);                   \
  int gasnet_AMReplyShort##M(gasnet_token_t token,                                                \
                             gasnet_handler_t handler ACRE_GASNET_PARAMETERS_##M);                \
  int gasnet_AMReplyMedium##M(gasnet_token_t token, gasnet_handler_t handler, const void* source, \
                              size_t nbytes ACRE_GASNET_PARAMETERS_##M);                          \
  int gasnet_AMReplyLong##M(gasnet_token_t token, gasnet_handler_t handler, const void* source,   \
                            size_t nbytes, void* dest_addr ACRE_GASNET_PARAMETERS_##M);
ACRE_GASNET_EACH_COUNT(ACRE_GASNET_DECLARE)
#undef ACRE_GASNET_DECLARE
int gasnet_AMRequestShort(gasnet_node_t dest, gasnet_handler_t handler, int numargs, ...);
int gasnet_AMRequestMedium(gasnet_node_t dest, gasnet_handler_t handler, const void* source,
                           size_t nbytes, int numargs, ...);
int gasnet_AMRequestLong(gasnet_node_t dest, gasnet_handler_t handler, const void* source,
                         size_t nbytes, void* dest_addr, int numargs, ...);
int gasnet_AMRequestLongAsync(gasnet_node_t dest, gasnet_handler_t handler, const void* source,
                              size_t nbytes, void* dest_addr, int numargs, ...);
int gasnet_AMReplyShort(gasnet_token_t token, gasnet_handler_t handler, int numargs, ...);
int gasnet_AMReplyMedium(gasnet_token_t token, gasnet_handler_t handler, const void* source,
                         size_t nbytes, int numargs, ...);
int gasnet_AMReplyLong(gasnet_token_t token, gasnet_handler_t handler, const void* source,
                       size_t nbytes, void* dest_addr, int numargs, ...);

int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t* srcindex);
int gasnet_AMPoll(void);
size_t gasnet_AMMaxArgs(void);
size_t gasnet_AMMaxMedium(void);
size_t gasnet_AMMaxLongRequest(void);
size_t gasnet_AMMaxLongReply(void);

typedef struct {
  uint64_t state[24];
} acre_gasnet_wait_t;
void acre_gasnet_wait_begin(acre_gasnet_wait_t* wait);
void acre_gasnet_wait_step(acre_gasnet_wait_t* wait);
void acre_gasnet_wait_end(acre_gasnet_wait_t* wait);
#define GASNET_BLOCKUNTIL(cond)                    \
  do {                                             \
    if (!(cond)) {                                 \
      acre_gasnet_wait_t acre_gasnet_wait_;        \
      acre_gasnet_wait_begin(&acre_gasnet_wait_);  \
      do {                                         \
        acre_gasnet_wait_step(&acre_gasnet_wait_); \
      } while (!(cond));                           \
      acre_gasnet_wait_end(&acre_gasnet_wait_);    \
    }                                              \
    __atomic_thread_fence(__ATOMIC_ACQUIRE);       \
  } while (0)

/* Ignored: Acre's waits spin, then yield, then sleep. */
#define GASNET_WAIT_SPIN 0
#define GASNET_WAIT_BLOCK 1
#define GASNET_WAIT_SPINBLOCK 2
int gasnet_set_waitmode(int wait_mode);

/* Handlers run only inside GASNet calls, so holding is a no-op. */
static __inline void gasnet_hold_interrupts(void) {}
static __inline void gasnet_resume_interrupts(void) {}

#if defined(GASNET_SEQ)
typedef struct {
  char nothing;
} gasnet_hsl_t;
/* clang-format off */
#define GASNET_HSL_INITIALIZER {0}
/* clang-format on */
static __inline void gasnet_hsl_init(gasnet_hsl_t* hsl) { hsl->nothing = 0; }
static __inline void gasnet_hsl_destroy(gasnet_hsl_t* hsl) { (void)hsl; }
static __inline void gasnet_hsl_lock(gasnet_hsl_t* hsl) { (void)hsl; }
static __inline void gasnet_hsl_unlock(gasnet_hsl_t* hsl) { (void)hsl; }
static __inline int gasnet_hsl_trylock(gasnet_hsl_t* hsl) {
  (void)hsl;
  return GASNET_OK;
}
#else
typedef struct {
  pthread_mutex_t lock;
} gasnet_hsl_t;
/* clang-format off */
#define GASNET_HSL_INITIALIZER {PTHREAD_MUTEX_INITIALIZER}
/* clang-format on */
static __inline void gasnet_hsl_init(gasnet_hsl_t* hsl) { pthread_mutex_init(&hsl->lock, NULL); }
static __inline void gasnet_hsl_destroy(gasnet_hsl_t* hsl) { pthread_mutex_destroy(&hsl->lock); }
static __inline void gasnet_hsl_lock(gasnet_hsl_t* hsl) { pthread_mutex_lock(&hsl->lock); }
static __inline void gasnet_hsl_unlock(gasnet_hsl_t* hsl) { pthread_mutex_unlock(&hsl->lock); }
static __inline int gasnet_hsl_trylock(gasnet_hsl_t* hsl) {
  return pthread_mutex_trylock(&hsl->lock) == 0 ? GASNET_OK : GASNET_ERR_NOT_READY;
}
#endif

/* At return the source is reusable, except in _nb_bulk and _nbi_bulk. */
void gasnet_put(gasnet_node_t node, void* dest, const void* src, size_t nbytes);
void gasnet_put_bulk(gasnet_node_t node, void* dest, const void* src, size_t nbytes);
void gasnet_get(void* dest, gasnet_node_t node, const void* src, size_t nbytes);
void gasnet_get_bulk(void* dest, gasnet_node_t node, const void* src, size_t nbytes);
void gasnet_memset(gasnet_node_t node, void* dest, int val, size_t nbytes);

gasnet_handle_t gasnet_put_nb(gasnet_node_t node, void* dest, const void* src, size_t nbytes);
gasnet_handle_t gasnet_put_nb_bulk(gasnet_node_t node, void* dest, const void* src, size_t nbytes);
gasnet_handle_t gasnet_get_nb(void* dest, gasnet_node_t node, const void* src, size_t nbytes);
gasnet_handle_t gasnet_get_nb_bulk(void* dest, gasnet_node_t node, const void* src, size_t nbytes);
gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void* dest, int val, size_t nbytes);

void gasnet_put_nbi(gasnet_node_t node, void* dest, const void* src, size_t nbytes);
void gasnet_put_nbi_bulk(gasnet_node_t node, void* dest, const void* src, size_t nbytes);
void gasnet_get_nbi(void* dest, gasnet_node_t node, const void* src, size_t nbytes);
void gasnet_get_nbi_bulk(void* dest, gasnet_node_t node, const void* src, size_t nbytes);
void gasnet_memset_nbi(gasnet_node_t node, void* dest, int val, size_t nbytes);

/* Values of 1 to SIZEOF_GASNET_REGISTER_VALUE_T bytes. */
void gasnet_put_val(gasnet_node_t node, void* dest, gasnet_register_value_t value, size_t nbytes);
gasnet_handle_t gasnet_put_nb_val(gasnet_node_t node, void* dest, gasnet_register_value_t value,
                                  size_t nbytes);
void gasnet_put_nbi_val(gasnet_node_t node, void* dest, gasnet_register_value_t value,
                        size_t nbytes);
gasnet_register_value_t gasnet_get_val(gasnet_node_t node, const void* src, size_t nbytes);
gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, const void* src, size_t nbytes);
gasnet_register_value_t gasnet_wait_syncnb_valget(gasnet_valget_handle_t handle);

void gasnet_wait_syncnb(gasnet_handle_t handle);
int gasnet_try_syncnb(gasnet_handle_t handle);
void gasnet_wait_syncnb_some(gasnet_handle_t* phandle, size_t numhandles);
int gasnet_try_syncnb_some(gasnet_handle_t* phandle, size_t numhandles);
void gasnet_wait_syncnb_all(gasnet_handle_t* phandle, size_t numhandles);
int gasnet_try_syncnb_all(gasnet_handle_t* phandle, size_t numhandles);

void gasnet_wait_syncnbi_puts(void);
void gasnet_wait_syncnbi_gets(void);
void gasnet_wait_syncnbi_all(void);
int gasnet_try_syncnbi_puts(void);
int gasnet_try_syncnbi_gets(void);
int gasnet_try_syncnbi_all(void);

/* One handle for the implicit operations started in between; it completes when all implicit
 * operations of this node are complete. */
void gasnet_begin_nbi_accessregion(void);
gasnet_handle_t gasnet_end_nbi_accessregion(void);

#define GASNET_BARRIERFLAG_ANONYMOUS 1
#define GASNET_BARRIERFLAG_MISMATCH 2

void gasnet_barrier_notify(int id, int flags);
int gasnet_barrier_wait(int id, int flags);
int gasnet_barrier_try(int id, int flags);

typedef void* gasnet_threadinfo_t;
#define GASNET_GET_THREADINFO() ((gasnet_threadinfo_t)0)
#define GASNET_POST_THREADINFO(info) \
  gasnet_threadinfo_t acre_gasnet_threadinfo_ __attribute__((__unused__)) = (info)
#define GASNET_BEGIN_FUNCTION() GASNET_POST_THREADINFO(GASNET_GET_THREADINFO())

#ifdef __cplusplus
}
#endif

#include "gasnet_coll.h"
#include "gasnet_vis.h"

#endif
