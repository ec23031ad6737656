// Atomic memory operations.
#include "access.hpp"
#include "context.hpp"
#include "profiling.hpp"
#include <acre/fabric/atomic_operation.hpp>

#include <atomic>
#include <type_traits>

namespace acre::shmem {
namespace {

using fabric::atomic_operation;

template <atomic_operation Operation, class T>
[[gnu::noinline, gnu::cold]] T apply_far(T* dest, T operand, T expected, int pe) {
  return fabric::from_word<T>(runtime::run_remote_atomic(Operation, fabric::atomic_type_of<T>(),
                                                         remote(dest, pe), fabric::to_word(operand),
                                                         fabric::to_word(expected)));
}
template <atomic_operation Operation, class T>
[[gnu::noinline, gnu::cold]] void post_far(T* dest, T operand, int pe) {
  runtime::post_remote_atomic(Operation, fabric::atomic_type_of<T>(), remote(dest, pe),
                              fabric::to_word(operand));
}

/// The value before.
template <atomic_operation Operation, class T>
[[gnu::always_inline]] inline T apply(T* dest, T operand, int pe, T expected = {}) {
  if (T* there = mapped(dest, pe)) [[likely]] {
    runtime::count(counted::direct_atomic);
    return fabric::apply_atomic<Operation>(there, operand, expected, std::memory_order_seq_cst);
  }
  return apply_far<Operation>(dest, operand, expected, pe);
}
/// Complete after a quiet.
template <atomic_operation Operation, class T>
[[gnu::always_inline]] inline void post(T* dest, T operand, int pe) {
  if (T* there = mapped(dest, pe)) [[likely]] {
    runtime::count(counted::direct_atomic);
    static_cast<void>(
        fabric::apply_atomic<Operation>(there, operand, T{}, std::memory_order_seq_cst));
    return;
  }
  post_far<Operation>(dest, operand, pe);
}
template <class T>
T* writable(const T* source) noexcept {
  return const_cast<T*>(source);
}

}  // namespace
}  // namespace acre::shmem

using namespace acre::shmem;
using enum acre::fabric::atomic_operation;

// A fetching operation in its four forms. PARAMETERS and ARGUMENTS: what stands between dest and
// pe.
#define ACRE_SHMEM_FETCHING(NAME, TYPE, ROUTINE, DEST, PARAMETERS, RESULT)           \
  ACRE_SHMEM_DEFINE(TYPE, NAME##_atomic_##ROUTINE, (DEST dest PARAMETERS, int pe)) { \
    return RESULT;                                                                   \
  }                                                                                  \
  ACRE_SHMEM_DEFINE(TYPE, ctx_##NAME##_atomic_##ROUTINE,                             \
                    (shmem_ctx_t ctx, DEST dest PARAMETERS, int pe)) {               \
    pe = rank_in(ctx, pe);                                                           \
    return RESULT;                                                                   \
  }                                                                                  \
  ACRE_SHMEM_DEFINE(void, NAME##_atomic_##ROUTINE##_nbi,                             \
                    (TYPE * fetch, DEST dest PARAMETERS, int pe)) {                  \
    *fetch = RESULT;                                                                 \
  }                                                                                  \
  ACRE_SHMEM_DEFINE(void, ctx_##NAME##_atomic_##ROUTINE##_nbi,                       \
                    (shmem_ctx_t ctx, TYPE * fetch, DEST dest PARAMETERS, int pe)) { \
    pe = rank_in(ctx, pe);                                                           \
    *fetch = RESULT;                                                                 \
  }
#define ACRE_SHMEM_POSTING(NAME, TYPE, ROUTINE, PARAMETERS, CALL)                              \
  ACRE_SHMEM_DEFINE(void, NAME##_atomic_##ROUTINE, (TYPE * dest PARAMETERS, int pe)) { CALL; } \
  ACRE_SHMEM_DEFINE(void, ctx_##NAME##_atomic_##ROUTINE,                                       \
                    (shmem_ctx_t ctx, TYPE * dest PARAMETERS, int pe)) {                       \
    pe = rank_in(ctx, pe);                                                                     \
    CALL;                                                                                      \
  }
#define ACRE_SHMEM_ONE(TYPE) , TYPE value
#define ACRE_SHMEM_TWO(TYPE) , TYPE cond, TYPE value
#define ACRE_SHMEM_NONE

#define ACRE_SHMEM_EXTENDED(NAME, TYPE, A)                                   \
  ACRE_SHMEM_FETCHING(NAME, TYPE, fetch, const TYPE*, ACRE_SHMEM_NONE,       \
                      apply<load>(writable(dest), static_cast<TYPE>(0), pe)) \
  ACRE_SHMEM_FETCHING(NAME, TYPE, swap, TYPE*, ACRE_SHMEM_ONE(TYPE),         \
                      apply<exchange>(dest, value, pe))                      \
  ACRE_SHMEM_POSTING(NAME, TYPE, set, ACRE_SHMEM_ONE(TYPE), post<store>(dest, value, pe))

#define ACRE_SHMEM_STANDARD(NAME, TYPE, A)                                                        \
  ACRE_SHMEM_FETCHING(NAME, TYPE, compare_swap, TYPE*, ACRE_SHMEM_TWO(TYPE),                      \
                      apply<compare_exchange>(dest, value, pe, cond))                             \
  ACRE_SHMEM_FETCHING(NAME, TYPE, fetch_inc, TYPE*, ACRE_SHMEM_NONE,                              \
                      apply<add>(dest, static_cast<TYPE>(1), pe))                                 \
  ACRE_SHMEM_FETCHING(NAME, TYPE, fetch_add, TYPE*, ACRE_SHMEM_ONE(TYPE),                         \
                      apply<add>(dest, value, pe))                                                \
  ACRE_SHMEM_POSTING(NAME, TYPE, inc, ACRE_SHMEM_NONE, post<add>(dest, static_cast<TYPE>(1), pe)) \
  ACRE_SHMEM_POSTING(NAME, TYPE, add, ACRE_SHMEM_ONE(TYPE), post<add>(dest, value, pe))

#define ACRE_SHMEM_BITWISE_OP(NAME, TYPE, OP, OPERATION)                   \
  ACRE_SHMEM_FETCHING(NAME, TYPE, fetch_##OP, TYPE*, ACRE_SHMEM_ONE(TYPE), \
                      apply<OPERATION>(dest, value, pe))                   \
  ACRE_SHMEM_POSTING(NAME, TYPE, OP, ACRE_SHMEM_ONE(TYPE), post<OPERATION>(dest, value, pe))
#define ACRE_SHMEM_BITWISE(NAME, TYPE, A)         \
  ACRE_SHMEM_BITWISE_OP(NAME, TYPE, and, bit_and) \
  ACRE_SHMEM_BITWISE_OP(NAME, TYPE, or, bit_or)   \
  ACRE_SHMEM_BITWISE_OP(NAME, TYPE, xor, bit_xor)

extern "C" {
ACRE_SHMEM_EXTENDED_AMO_TYPES(ACRE_SHMEM_EXTENDED, )
ACRE_SHMEM_AMO_TYPES(ACRE_SHMEM_STANDARD, )
ACRE_SHMEM_BITWISE_TYPES(ACRE_SHMEM_BITWISE, )

// As they were named before 1.4.
#define ACRE_SHMEM_OLD_EXTENDED(NAME, TYPE, A)                              \
  ACRE_SHMEM_DEFINE(TYPE, NAME##_fetch, (const TYPE* source, int pe)) {     \
    return apply<load>(writable(source), static_cast<TYPE>(0), pe);         \
  }                                                                         \
  ACRE_SHMEM_DEFINE(void, NAME##_set, (TYPE * dest, TYPE value, int pe)) {  \
    post<store>(dest, value, pe);                                           \
  }                                                                         \
  ACRE_SHMEM_DEFINE(TYPE, NAME##_swap, (TYPE * dest, TYPE value, int pe)) { \
    return apply<exchange>(dest, value, pe);                                \
  }
#define ACRE_SHMEM_OLD(NAME, TYPE, A)                                                   \
  ACRE_SHMEM_DEFINE(TYPE, NAME##_cswap, (TYPE * dest, TYPE cond, TYPE value, int pe)) { \
    return apply<compare_exchange>(dest, value, pe, cond);                              \
  }                                                                                     \
  ACRE_SHMEM_DEFINE(TYPE, NAME##_finc, (TYPE * dest, int pe)) {                         \
    return apply<add>(dest, static_cast<TYPE>(1), pe);                                  \
  }                                                                                     \
  ACRE_SHMEM_DEFINE(TYPE, NAME##_fadd, (TYPE * dest, TYPE value, int pe)) {             \
    return apply<add>(dest, value, pe);                                                 \
  }                                                                                     \
  ACRE_SHMEM_DEFINE(void, NAME##_inc, (TYPE * dest, int pe)) {                          \
    post<add>(dest, static_cast<TYPE>(1), pe);                                          \
  }                                                                                     \
  ACRE_SHMEM_DEFINE(void, NAME##_add, (TYPE * dest, TYPE value, int pe)) {              \
    post<add>(dest, value, pe);                                                         \
  }
ACRE_SHMEM_OLD_EXTENDED_AMO_TYPES(ACRE_SHMEM_OLD_EXTENDED, )
ACRE_SHMEM_OLD_AMO_TYPES(ACRE_SHMEM_OLD, )
}
