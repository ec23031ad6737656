// Generic routines for C++: an overload of each routine for each type, with a context and
// without. Included by shmem.h.
#pragma once

#define ACRE_SHMEM_CXX_RMA(NAME, TYPE, A)                                                          \
  inline void shmem_put(TYPE* dest, const TYPE* source, size_t nelems, int pe) {                   \
    shmem_##NAME##_put(dest, source, nelems, pe);                                                  \
  }                                                                                                \
  inline void shmem_put(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems, int pe) {  \
    shmem_ctx_##NAME##_put(ctx, dest, source, nelems, pe);                                         \
  }                                                                                                \
  inline void shmem_get(TYPE* dest, const TYPE* source, size_t nelems, int pe) {                   \
    shmem_##NAME##_get(dest, source, nelems, pe);                                                  \
  }                                                                                                \
  inline void shmem_get(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems, int pe) {  \
    shmem_ctx_##NAME##_get(ctx, dest, source, nelems, pe);                                         \
  }                                                                                                \
  inline void shmem_put_nbi(TYPE* dest, const TYPE* source, size_t nelems, int pe) {               \
    shmem_##NAME##_put_nbi(dest, source, nelems, pe);                                              \
  }                                                                                                \
  inline void shmem_put_nbi(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems,        \
                            int pe) {                                                              \
    shmem_ctx_##NAME##_put_nbi(ctx, dest, source, nelems, pe);                                     \
  }                                                                                                \
  inline void shmem_get_nbi(TYPE* dest, const TYPE* source, size_t nelems, int pe) {               \
    shmem_##NAME##_get_nbi(dest, source, nelems, pe);                                              \
  }                                                                                                \
  inline void shmem_get_nbi(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems,        \
                            int pe) {                                                              \
    shmem_ctx_##NAME##_get_nbi(ctx, dest, source, nelems, pe);                                     \
  }                                                                                                \
  inline void shmem_p(TYPE* dest, TYPE value, int pe) { shmem_##NAME##_p(dest, value, pe); }       \
  inline void shmem_p(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe) {                           \
    shmem_ctx_##NAME##_p(ctx, dest, value, pe);                                                    \
  }                                                                                                \
  inline TYPE shmem_g(const TYPE* source, int pe) { return shmem_##NAME##_g(source, pe); }         \
  inline TYPE shmem_g(shmem_ctx_t ctx, const TYPE* source, int pe) {                               \
    return shmem_ctx_##NAME##_g(ctx, source, pe);                                                  \
  }                                                                                                \
  inline void shmem_iput(TYPE* dest, const TYPE* source, ptrdiff_t dst, ptrdiff_t sst,             \
                         size_t nelems, int pe) {                                                  \
    shmem_##NAME##_iput(dest, source, dst, sst, nelems, pe);                                       \
  }                                                                                                \
  inline void shmem_iput(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, ptrdiff_t dst,           \
                         ptrdiff_t sst, size_t nelems, int pe) {                                   \
    shmem_ctx_##NAME##_iput(ctx, dest, source, dst, sst, nelems, pe);                              \
  }                                                                                                \
  inline void shmem_iget(TYPE* dest, const TYPE* source, ptrdiff_t dst, ptrdiff_t sst,             \
                         size_t nelems, int pe) {                                                  \
    shmem_##NAME##_iget(dest, source, dst, sst, nelems, pe);                                       \
  }                                                                                                \
  inline void shmem_iget(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, ptrdiff_t dst,           \
                         ptrdiff_t sst, size_t nelems, int pe) {                                   \
    shmem_ctx_##NAME##_iget(ctx, dest, source, dst, sst, nelems, pe);                              \
  }                                                                                                \
  inline void shmem_put_signal(TYPE* dest, const TYPE* source, size_t nelems, uint64_t* sig_addr,  \
                               uint64_t signal, int sig_op, int pe) {                              \
    shmem_##NAME##_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe);                 \
  }                                                                                                \
  inline void shmem_put_signal(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems,     \
                               uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) {          \
    shmem_ctx_##NAME##_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe);        \
  }                                                                                                \
  inline void shmem_put_signal_nbi(TYPE* dest, const TYPE* source, size_t nelems,                  \
                                   uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) {      \
    shmem_##NAME##_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe);             \
  }                                                                                                \
  inline void shmem_put_signal_nbi(shmem_ctx_t ctx, TYPE* dest, const TYPE* source, size_t nelems, \
                                   uint64_t* sig_addr, uint64_t signal, int sig_op, int pe) {      \
    shmem_ctx_##NAME##_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe);    \
  }                                                                                                \
  inline int shmem_broadcast(shmem_team_t team, TYPE* dest, const TYPE* source, size_t nelems,     \
                             int root) {                                                           \
    return shmem_##NAME##_broadcast(team, dest, source, nelems, root);                             \
  }                                                                                                \
  inline int shmem_collect(shmem_team_t team, TYPE* dest, const TYPE* source, size_t nelems) {     \
    return shmem_##NAME##_collect(team, dest, source, nelems);                                     \
  }                                                                                                \
  inline int shmem_fcollect(shmem_team_t team, TYPE* dest, const TYPE* source, size_t nelems) {    \
    return shmem_##NAME##_fcollect(team, dest, source, nelems);                                    \
  }                                                                                                \
  inline int shmem_alltoall(shmem_team_t team, TYPE* dest, const TYPE* source, size_t nelems) {    \
    return shmem_##NAME##_alltoall(team, dest, source, nelems);                                    \
  }                                                                                                \
  inline int shmem_alltoalls(shmem_team_t team, TYPE* dest, const TYPE* source, ptrdiff_t dst,     \
                             ptrdiff_t sst, size_t nelems) {                                       \
    return shmem_##NAME##_alltoalls(team, dest, source, dst, sst, nelems);                         \
  }
ACRE_SHMEM_BASIC_TYPES(ACRE_SHMEM_CXX_RMA, )
#undef ACRE_SHMEM_CXX_RMA

#define ACRE_SHMEM_CXX_AMO(NAME, TYPE, A)                                                        \
  inline TYPE shmem_atomic_fetch(const TYPE* source, int pe) {                                   \
    return shmem_##NAME##_atomic_fetch(source, pe);                                              \
  }                                                                                              \
  inline TYPE shmem_atomic_fetch(shmem_ctx_t ctx, const TYPE* source, int pe) {                  \
    return shmem_ctx_##NAME##_atomic_fetch(ctx, source, pe);                                     \
  }                                                                                              \
  inline void shmem_atomic_fetch_nbi(TYPE* fetch, const TYPE* source, int pe) {                  \
    shmem_##NAME##_atomic_fetch_nbi(fetch, source, pe);                                          \
  }                                                                                              \
  inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, TYPE* fetch, const TYPE* source, int pe) { \
    shmem_ctx_##NAME##_atomic_fetch_nbi(ctx, fetch, source, pe);                                 \
  }                                                                                              \
  inline void shmem_atomic_set(TYPE* dest, TYPE value, int pe) {                                 \
    shmem_##NAME##_atomic_set(dest, value, pe);                                                  \
  }                                                                                              \
  inline void shmem_atomic_set(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe) {                \
    shmem_ctx_##NAME##_atomic_set(ctx, dest, value, pe);                                         \
  }                                                                                              \
  inline TYPE shmem_atomic_swap(TYPE* dest, TYPE value, int pe) {                                \
    return shmem_##NAME##_atomic_swap(dest, value, pe);                                          \
  }                                                                                              \
  inline TYPE shmem_atomic_swap(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe) {               \
    return shmem_ctx_##NAME##_atomic_swap(ctx, dest, value, pe);                                 \
  }                                                                                              \
  inline void shmem_atomic_swap_nbi(TYPE* fetch, TYPE* dest, TYPE value, int pe) {               \
    shmem_##NAME##_atomic_swap_nbi(fetch, dest, value, pe);                                      \
  }                                                                                              \
  inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, TYPE* fetch, TYPE* dest, TYPE value,        \
                                    int pe) {                                                    \
    shmem_ctx_##NAME##_atomic_swap_nbi(ctx, fetch, dest, value, pe);                             \
  }
ACRE_SHMEM_BASIC_EXTENDED_AMO_TYPES(ACRE_SHMEM_CXX_AMO, )
#undef ACRE_SHMEM_CXX_AMO

// With one operand (add, and, or, xor), or none (inc).
#define ACRE_SHMEM_CXX_OPERATION(NAME, TYPE, OP)                                                  \
  inline void shmem_atomic_##OP(TYPE* dest, TYPE value, int pe) {                                 \
    shmem_##NAME##_atomic_##OP(dest, value, pe);                                                  \
  }                                                                                               \
  inline void shmem_atomic_##OP(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe) {                \
    shmem_ctx_##NAME##_atomic_##OP(ctx, dest, value, pe);                                         \
  }                                                                                               \
  inline TYPE shmem_atomic_fetch_##OP(TYPE* dest, TYPE value, int pe) {                           \
    return shmem_##NAME##_atomic_fetch_##OP(dest, value, pe);                                     \
  }                                                                                               \
  inline TYPE shmem_atomic_fetch_##OP(shmem_ctx_t ctx, TYPE* dest, TYPE value, int pe) {          \
    return shmem_ctx_##NAME##_atomic_fetch_##OP(ctx, dest, value, pe);                            \
  }                                                                                               \
  inline void shmem_atomic_fetch_##OP##_nbi(TYPE* fetch, TYPE* dest, TYPE value, int pe) {        \
    shmem_##NAME##_atomic_fetch_##OP##_nbi(fetch, dest, value, pe);                               \
  }                                                                                               \
  inline void shmem_atomic_fetch_##OP##_nbi(shmem_ctx_t ctx, TYPE* fetch, TYPE* dest, TYPE value, \
                                            int pe) {                                             \
    shmem_ctx_##NAME##_atomic_fetch_##OP##_nbi(ctx, fetch, dest, value, pe);                      \
  }
#define ACRE_SHMEM_CXX_INTEGER_AMO(NAME, TYPE, A)                                                \
  ACRE_SHMEM_CXX_OPERATION(NAME, TYPE, add)                                                      \
  inline void shmem_atomic_inc(TYPE* dest, int pe) { shmem_##NAME##_atomic_inc(dest, pe); }      \
  inline void shmem_atomic_inc(shmem_ctx_t ctx, TYPE* dest, int pe) {                            \
    shmem_ctx_##NAME##_atomic_inc(ctx, dest, pe);                                                \
  }                                                                                              \
  inline TYPE shmem_atomic_fetch_inc(TYPE* dest, int pe) {                                       \
    return shmem_##NAME##_atomic_fetch_inc(dest, pe);                                            \
  }                                                                                              \
  inline TYPE shmem_atomic_fetch_inc(shmem_ctx_t ctx, TYPE* dest, int pe) {                      \
    return shmem_ctx_##NAME##_atomic_fetch_inc(ctx, dest, pe);                                   \
  }                                                                                              \
  inline void shmem_atomic_fetch_inc_nbi(TYPE* fetch, TYPE* dest, int pe) {                      \
    shmem_##NAME##_atomic_fetch_inc_nbi(fetch, dest, pe);                                        \
  }                                                                                              \
  inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, TYPE* fetch, TYPE* dest, int pe) {     \
    shmem_ctx_##NAME##_atomic_fetch_inc_nbi(ctx, fetch, dest, pe);                               \
  }                                                                                              \
  inline TYPE shmem_atomic_compare_swap(TYPE* dest, TYPE cond, TYPE value, int pe) {             \
    return shmem_##NAME##_atomic_compare_swap(dest, cond, value, pe);                            \
  }                                                                                              \
  inline TYPE shmem_atomic_compare_swap(shmem_ctx_t ctx, TYPE* dest, TYPE cond, TYPE value,      \
                                        int pe) {                                                \
    return shmem_ctx_##NAME##_atomic_compare_swap(ctx, dest, cond, value, pe);                   \
  }                                                                                              \
  inline void shmem_atomic_compare_swap_nbi(TYPE* fetch, TYPE* dest, TYPE cond, TYPE value,      \
                                            int pe) {                                            \
    shmem_##NAME##_atomic_compare_swap_nbi(fetch, dest, cond, value, pe);                        \
  }                                                                                              \
  inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, TYPE* fetch, TYPE* dest, TYPE cond, \
                                            TYPE value, int pe) {                                \
    shmem_ctx_##NAME##_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe);               \
  }
ACRE_SHMEM_BASIC_AMO_TYPES(ACRE_SHMEM_CXX_INTEGER_AMO, )
#undef ACRE_SHMEM_CXX_INTEGER_AMO
#define ACRE_SHMEM_CXX_BITS(NAME, TYPE, A)  \
  ACRE_SHMEM_CXX_OPERATION(NAME, TYPE, and) \
  ACRE_SHMEM_CXX_OPERATION(NAME, TYPE, or)  \
  ACRE_SHMEM_CXX_OPERATION(NAME, TYPE, xor)
ACRE_SHMEM_BASIC_BITWISE_TYPES(ACRE_SHMEM_CXX_BITS, )
#undef ACRE_SHMEM_CXX_BITS
#undef ACRE_SHMEM_CXX_OPERATION

#define ACRE_SHMEM_CXX_SYNC(NAME, TYPE, A)                                                         \
  inline void shmem_wait_until_all(TYPE* ivars, size_t nelems, const int* status, int cmp,         \
                                   TYPE cmp_value) {                                               \
    shmem_##NAME##_wait_until_all(ivars, nelems, status, cmp, cmp_value);                          \
  }                                                                                                \
  inline size_t shmem_wait_until_any(TYPE* ivars, size_t nelems, const int* status, int cmp,       \
                                     TYPE cmp_value) {                                             \
    return shmem_##NAME##_wait_until_any(ivars, nelems, status, cmp, cmp_value);                   \
  }                                                                                                \
  inline size_t shmem_wait_until_some(TYPE* ivars, size_t nelems, size_t* indices,                 \
                                      const int* status, int cmp, TYPE cmp_value) {                \
    return shmem_##NAME##_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value);         \
  }                                                                                                \
  inline void shmem_wait_until_all_vector(TYPE* ivars, size_t nelems, const int* status, int cmp,  \
                                          TYPE* cmp_values) {                                      \
    shmem_##NAME##_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values);                  \
  }                                                                                                \
  inline size_t shmem_wait_until_any_vector(TYPE* ivars, size_t nelems, const int* status,         \
                                            int cmp, TYPE* cmp_values) {                           \
    return shmem_##NAME##_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values);           \
  }                                                                                                \
  inline size_t shmem_wait_until_some_vector(TYPE* ivars, size_t nelems, size_t* indices,          \
                                             const int* status, int cmp, TYPE* cmp_values) {       \
    return shmem_##NAME##_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); \
  }                                                                                                \
  inline int shmem_test(TYPE* ivar, int cmp, TYPE cmp_value) {                                     \
    return shmem_##NAME##_test(ivar, cmp, cmp_value);                                              \
  }                                                                                                \
  inline int shmem_test_all(TYPE* ivars, size_t nelems, const int* status, int cmp,                \
                            TYPE cmp_value) {                                                      \
    return shmem_##NAME##_test_all(ivars, nelems, status, cmp, cmp_value);                         \
  }                                                                                                \
  inline size_t shmem_test_any(TYPE* ivars, size_t nelems, const int* status, int cmp,             \
                               TYPE cmp_value) {                                                   \
    return shmem_##NAME##_test_any(ivars, nelems, status, cmp, cmp_value);                         \
  }                                                                                                \
  inline size_t shmem_test_some(TYPE* ivars, size_t nelems, size_t* indices, const int* status,    \
                                int cmp, TYPE cmp_value) {                                         \
    return shmem_##NAME##_test_some(ivars, nelems, indices, status, cmp, cmp_value);               \
  }                                                                                                \
  inline int shmem_test_all_vector(TYPE* ivars, size_t nelems, const int* status, int cmp,         \
                                   TYPE* cmp_values) {                                             \
    return shmem_##NAME##_test_all_vector(ivars, nelems, status, cmp, cmp_values);                 \
  }                                                                                                \
  inline size_t shmem_test_any_vector(TYPE* ivars, size_t nelems, const int* status, int cmp,      \
                                      TYPE* cmp_values) {                                          \
    return shmem_##NAME##_test_any_vector(ivars, nelems, status, cmp, cmp_values);                 \
  }                                                                                                \
  inline size_t shmem_test_some_vector(TYPE* ivars, size_t nelems, size_t* indices,                \
                                       const int* status, int cmp, TYPE* cmp_values) {             \
    return shmem_##NAME##_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values);       \
  }
ACRE_SHMEM_BASIC_SYNC_TYPES(ACRE_SHMEM_CXX_SYNC, )
#undef ACRE_SHMEM_CXX_SYNC

// Of a long, shmem_wait_until is a routine of its own (deprecated).
#define ACRE_SHMEM_CXX_WAIT(NAME, TYPE, A)                            \
  inline void shmem_wait_until(TYPE* ivar, int cmp, TYPE cmp_value) { \
    shmem_##NAME##_wait_until(ivar, cmp, cmp_value);                  \
  }
ACRE_SHMEM_CXX_WAIT(int, int, )
ACRE_SHMEM_CXX_WAIT(longlong, long long, )
ACRE_SHMEM_UNSIGNED_WIDE(ACRE_SHMEM_CXX_WAIT, )
#undef ACRE_SHMEM_CXX_WAIT

#define ACRE_SHMEM_CXX_REDUCE(NAME, TYPE, OP)                                       \
  inline int shmem_##OP##_reduce(shmem_team_t team, TYPE* dest, const TYPE* source, \
                                 size_t nreduce) {                                  \
    return shmem_##NAME##_##OP##_reduce(team, dest, source, nreduce);               \
  }
ACRE_SHMEM_BASIC_REDUCTIONS(ACRE_SHMEM_CXX_REDUCE)
#undef ACRE_SHMEM_CXX_REDUCE

inline int shmem_sync(shmem_team_t team) { return shmem_team_sync(team); }
