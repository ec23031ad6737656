// Remote memory access: put, get, p, g, iput, iget and the non-blocking forms, of every type
// and size; and puts with a signal.
#include "context.hpp"
#include "profiling.hpp"
#include "signal.hpp"
#include "transfer.hpp"

using namespace acre::shmem;

// BYTES: of an element. DEST and FROM: pointers to elements.
#define ACRE_SHMEM_TRANSFERS(PUT, GET, SUFFIX, DEST, FROM, BYTES)                              \
  ACRE_SHMEM_DEFINE(void, PUT##SUFFIX, (DEST dest, FROM from, size_t nelems, int pe)) {        \
    put<source::free_at_return>(dest, from, nelems * (BYTES), pe);                             \
  }                                                                                            \
  ACRE_SHMEM_DEFINE(void, ctx_##PUT##SUFFIX,                                                   \
                    (shmem_ctx_t ctx, DEST dest, FROM from, size_t nelems, int pe)) {          \
    put<source::free_at_return>(dest, from, nelems * (BYTES), rank_in(ctx, pe));               \
  }                                                                                            \
  ACRE_SHMEM_DEFINE(void, PUT##SUFFIX##_nbi, (DEST dest, FROM from, size_t nelems, int pe)) {  \
    put<source::busy_until_quiet>(dest, from, nelems * (BYTES), pe);                           \
  }                                                                                            \
  ACRE_SHMEM_DEFINE(void, ctx_##PUT##SUFFIX##_nbi,                                             \
                    (shmem_ctx_t ctx, DEST dest, FROM from, size_t nelems, int pe)) {          \
    put<source::busy_until_quiet>(dest, from, nelems * (BYTES), rank_in(ctx, pe));             \
  }                                                                                            \
  ACRE_SHMEM_DEFINE(void, GET##SUFFIX, (DEST dest, FROM from, size_t nelems, int pe)) {        \
    get(dest, from, nelems*(BYTES), pe);                                                       \
  }                                                                                            \
  ACRE_SHMEM_DEFINE(void, ctx_##GET##SUFFIX,                                                   \
                    (shmem_ctx_t ctx, DEST dest, FROM from, size_t nelems, int pe)) {          \
    get(dest, from, nelems*(BYTES), rank_in(ctx, pe));                                         \
  }                                                                                            \
  ACRE_SHMEM_DEFINE(void, GET##SUFFIX##_nbi, (DEST dest, FROM from, size_t nelems, int pe)) {  \
    get_nbi(dest, from, nelems*(BYTES), pe);                                                   \
  }                                                                                            \
  ACRE_SHMEM_DEFINE(void, ctx_##GET##SUFFIX##_nbi,                                             \
                    (shmem_ctx_t ctx, DEST dest, FROM from, size_t nelems, int pe)) {          \
    get_nbi(dest, from, nelems*(BYTES), rank_in(ctx, pe));                                     \
  }                                                                                            \
  ACRE_SHMEM_DEFINE(void, PUT##SUFFIX##_signal,                                                \
                    (DEST dest, FROM from, size_t nelems, uint64_t* sig_addr, uint64_t signal, \
                     int sig_op, int pe)) {                                                    \
    put_signal(dest, from, nelems*(BYTES), sig_addr, signal, sig_op, pe);                      \
  }                                                                                            \
  ACRE_SHMEM_DEFINE(void, ctx_##PUT##SUFFIX##_signal,                                          \
                    (shmem_ctx_t ctx, DEST dest, FROM from, size_t nelems, uint64_t* sig_addr, \
                     uint64_t signal, int sig_op, int pe)) {                                   \
    put_signal(dest, from, nelems*(BYTES), sig_addr, signal, sig_op, rank_in(ctx, pe));        \
  }                                                                                            \
  ACRE_SHMEM_DEFINE(void, PUT##SUFFIX##_signal_nbi,                                            \
                    (DEST dest, FROM from, size_t nelems, uint64_t* sig_addr, uint64_t signal, \
                     int sig_op, int pe)) {                                                    \
    put_signal(dest, from, nelems*(BYTES), sig_addr, signal, sig_op, pe);                      \
  }                                                                                            \
  ACRE_SHMEM_DEFINE(void, ctx_##PUT##SUFFIX##_signal_nbi,                                      \
                    (shmem_ctx_t ctx, DEST dest, FROM from, size_t nelems, uint64_t* sig_addr, \
                     uint64_t signal, int sig_op, int pe)) {                                   \
    put_signal(dest, from, nelems*(BYTES), sig_addr, signal, sig_op, rank_in(ctx, pe));        \
  }

#define ACRE_SHMEM_STRIDES(PUT, GET, DEST, FROM, BYTES)                                            \
  ACRE_SHMEM_DEFINE(void, PUT,                                                                     \
                    (DEST dest, FROM from, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)) { \
    strides(BYTES, dst, sst, nelems).put(dest, from, pe);                                          \
  }                                                                                                \
  ACRE_SHMEM_DEFINE(void, ctx_##PUT,                                                               \
                    (shmem_ctx_t ctx, DEST dest, FROM from, ptrdiff_t dst, ptrdiff_t sst,          \
                     size_t nelems, int pe)) {                                                     \
    strides(BYTES, dst, sst, nelems).put(dest, from, rank_in(ctx, pe));                            \
  }                                                                                                \
  ACRE_SHMEM_DEFINE(void, GET,                                                                     \
                    (DEST dest, FROM from, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)) { \
    strides(BYTES, dst, sst, nelems).get(dest, from, pe);                                          \
  }                                                                                                \
  ACRE_SHMEM_DEFINE(void, ctx_##GET,                                                               \
                    (shmem_ctx_t ctx, DEST dest, FROM from, ptrdiff_t dst, ptrdiff_t sst,          \
                     size_t nelems, int pe)) {                                                     \
    strides(BYTES, dst, sst, nelems).get(dest, from, rank_in(ctx, pe));                            \
  }

#define ACRE_SHMEM_TYPED(NAME, TYPE, A)                                                         \
  ACRE_SHMEM_TRANSFERS(NAME##_put, NAME##_get, , TYPE*, const TYPE*, sizeof(TYPE))              \
  ACRE_SHMEM_STRIDES(NAME##_iput, NAME##_iget, TYPE*, const TYPE*, sizeof(TYPE))                \
  ACRE_SHMEM_DEFINE(void, NAME##_p, (TYPE * dest, TYPE value, int pe)) {                        \
    put_one(dest, value, pe);                                                                   \
  }                                                                                             \
  ACRE_SHMEM_DEFINE(void, ctx_##NAME##_p, (shmem_ctx_t ctx, TYPE * dest, TYPE value, int pe)) { \
    put_one(dest, value, rank_in(ctx, pe));                                                     \
  }                                                                                             \
  ACRE_SHMEM_DEFINE(TYPE, NAME##_g, (const TYPE* from, int pe)) { return get_one(from, pe); }   \
  ACRE_SHMEM_DEFINE(TYPE, ctx_##NAME##_g, (shmem_ctx_t ctx, const TYPE* from, int pe)) {        \
    return get_one(from, rank_in(ctx, pe));                                                     \
  }

#define ACRE_SHMEM_UNTYPED(BITS, BYTES)                                   \
  ACRE_SHMEM_TRANSFERS(put##BITS, get##BITS, , void*, const void*, BYTES) \
  ACRE_SHMEM_STRIDES(iput##BITS, iget##BITS, void*, const void*, BYTES)

extern "C" {
ACRE_SHMEM_RMA_TYPES(ACRE_SHMEM_TYPED, )
ACRE_SHMEM_SIZES(ACRE_SHMEM_UNTYPED)
ACRE_SHMEM_TRANSFERS(putmem, getmem, , void*, const void*, 1)
}
