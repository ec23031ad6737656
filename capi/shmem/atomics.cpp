// SPDX-License-Identifier: BSD-3-Clause
// Atomic memory operations.
#include "access.hpp"
#include "families.hpp"
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
[[gnu::noinline, gnu::cold]] void fetch_far(T* fetch, T* dest, T operand, T expected, int pe) {
  runtime::fetch_remote_atomic_nbi(Operation, fabric::atomic_type_of<T>(), remote(dest, pe),
                                   fabric::to_word(operand), fabric::to_word(expected), fetch);
}
template <atomic_operation Operation, class T>
[[gnu::noinline, gnu::cold]] void post_far(T* dest, T operand, int pe) {
  runtime::post_remote_atomic(Operation, fabric::atomic_type_of<T>(), remote(dest, pe),
                              fabric::to_word(operand));
}

template <atomic_operation Operation, class T>
[[gnu::always_inline]] inline T apply(T* dest, T operand, int pe, T expected = {}) {
  if (T* there = mapped(dest, pe)) [[likely]] {
    runtime::count(runtime::counted::direct_atomic);
    return fabric::apply_atomic<Operation>(there, operand, expected, std::memory_order_seq_cst);
  }
  return apply_far<Operation>(dest, operand, expected, pe);
}
/// If the PE is remote, *fetch is valid after a quiet.
template <atomic_operation Operation, class T>
[[gnu::always_inline]] inline void fetch_nbi(T* fetch, T* dest, T operand, int pe,
                                             T expected = {}) {
  if (mapped(dest, pe) != nullptr) [[likely]] {
    *fetch = apply<Operation>(dest, operand, pe, expected);
  } else {
    fetch_far<Operation>(fetch, dest, operand, expected, pe);
  }
}
template <atomic_operation Operation, class T>
[[gnu::always_inline]] inline void post(T* dest, T operand, int pe) {
  if (T* there = mapped(dest, pe)) [[likely]] {
    runtime::count(runtime::counted::direct_atomic);
    static_cast<void>(
        fabric::apply_atomic<Operation>(there, operand, T{}, std::memory_order_seq_cst));
    return;
  }
  post_far<Operation>(dest, operand, pe);
}

}  // namespace

namespace routine {
namespace {

using enum atomic_operation;

template <class T>
[[gnu::always_inline]] inline T atomic_fetch(const T* from, int pe) {
  return apply<load>(const_cast<T*>(from), T{}, pe);
}
template <class T>
[[gnu::always_inline]] inline void atomic_fetch_nbi(T* fetch, const T* from, int pe) {
  fetch_nbi<load>(fetch, const_cast<T*>(from), T{}, pe);
}
template <class T>
[[gnu::always_inline]] inline void atomic_set(T* dest, T value, int pe) {
  post<store>(dest, value, pe);
}
template <class T>
[[gnu::always_inline]] inline T atomic_swap(T* dest, T value, int pe) {
  return apply<exchange>(dest, value, pe);
}
template <class T>
[[gnu::always_inline]] inline void atomic_swap_nbi(T* fetch, T* dest, T value, int pe) {
  fetch_nbi<exchange>(fetch, dest, value, pe);
}
template <class T>
[[gnu::always_inline]] inline T atomic_compare_swap(T* dest, T cond, T value, int pe) {
  return apply<compare_exchange>(dest, value, pe, cond);
}
template <class T>
[[gnu::always_inline]] inline void atomic_compare_swap_nbi(T* fetch, T* dest, T cond, T value,
                                                           int pe) {
  fetch_nbi<compare_exchange>(fetch, dest, value, pe, cond);
}

#define ACRE_SHMEM_UPDATING(OPERATION, HOW)                                                     \
  template <class T>                                                                            \
  [[gnu::always_inline]] inline void atomic_##OPERATION(T* dest, T value, int pe) {             \
    post<HOW>(dest, value, pe);                                                                 \
  }                                                                                             \
  template <class T>                                                                            \
  [[gnu::always_inline]] inline T atomic_fetch_##OPERATION(T* dest, T value, int pe) {          \
    return apply<HOW>(dest, value, pe);                                                         \
  }                                                                                             \
  template <class T>                                                                            \
  [[gnu::always_inline]] inline void atomic_fetch_##OPERATION##_nbi(T* fetch, T* dest, T value, \
                                                                    int pe) {                   \
    fetch_nbi<HOW>(fetch, dest, value, pe);                                                     \
  }
ACRE_SHMEM_UPDATING(add, add)
ACRE_SHMEM_UPDATING(and, bit_and)
ACRE_SHMEM_UPDATING(or, bit_or)
ACRE_SHMEM_UPDATING(xor, bit_xor)

template <class T>
[[gnu::always_inline]] inline void atomic_inc(T* dest, int pe) {
  post<add>(dest, T{1}, pe);
}
template <class T>
[[gnu::always_inline]] inline T atomic_fetch_inc(T* dest, int pe) {
  return apply<add>(dest, T{1}, pe);
}

template <class T>
[[gnu::always_inline]] inline void atomic_fetch_inc_nbi(T* fetch, T* dest, int pe) {
  fetch_nbi<add>(fetch, dest, T{1}, pe);
}

}  // namespace
}  // namespace routine
}  // namespace acre::shmem

extern "C" {
ACRE_SHMEM_AMO(ACRE_SHMEM_DEFINE_WITH_CTX)
ACRE_SHMEM_OLD_AMO(ACRE_SHMEM_DEFINE_ONE)
}
