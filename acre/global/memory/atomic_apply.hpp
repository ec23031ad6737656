// SPDX-License-Identifier: BSD-3-Clause
// All atomic operations in one form:
//
//     acre::atomic_apply(total, acre::atomic_op::product, 2.0);
//     acre::atomic_apply(best, acre::atomic_op::compare_exchange_gt, cost, cost);
//
// A comparand or mask precedes the operand.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/memory/detail/refused_access.hpp>
#include <acre/global/memory/future_put_get.hpp>

#include <atomic>
#include <type_traits>

namespace acre {

namespace atomic_op {

/// Type of the operations below.
template <fabric::atomic_operation Code>
struct operation {
  static constexpr fabric::atomic_operation code = Code;
};

inline constexpr operation<fabric::atomic_operation::exchange> exchange;
inline constexpr operation<fabric::atomic_operation::add> sum;
inline constexpr operation<fabric::atomic_operation::product> product;
inline constexpr operation<fabric::atomic_operation::min> min;
inline constexpr operation<fabric::atomic_operation::max> max;
inline constexpr operation<fabric::atomic_operation::bit_and> bit_and;
inline constexpr operation<fabric::atomic_operation::bit_or> bit_or;
inline constexpr operation<fabric::atomic_operation::bit_xor> bit_xor;
/// Zero is false; the result is 0 or 1.
inline constexpr operation<fabric::atomic_operation::logical_and> logical_and;
inline constexpr operation<fabric::atomic_operation::logical_or> logical_or;
inline constexpr operation<fabric::atomic_operation::logical_xor> logical_xor;
/// Without operand.
inline constexpr operation<fabric::atomic_operation::load> load;
inline constexpr operation<fabric::atomic_operation::store> store;
/// Write the operand if the comparand is equal to the value, unequal, <=, <, >= or > it; 0.0 equals
/// -0.0, and NaN equals no number.
inline constexpr operation<fabric::atomic_operation::compare_exchange> compare_exchange;
inline constexpr operation<fabric::atomic_operation::compare_exchange_ne> compare_exchange_ne;
inline constexpr operation<fabric::atomic_operation::compare_exchange_le> compare_exchange_le;
inline constexpr operation<fabric::atomic_operation::compare_exchange_lt> compare_exchange_lt;
inline constexpr operation<fabric::atomic_operation::compare_exchange_ge> compare_exchange_ge;
inline constexpr operation<fabric::atomic_operation::compare_exchange_gt> compare_exchange_gt;
/// Writes those bits of the operand that are set in the mask.
inline constexpr operation<fabric::atomic_operation::masked_exchange> masked_exchange;

}  // namespace atomic_op

/// True for defined operations: order needs a real number, bits an integer.
template <class T, fabric::atomic_operation Operation>
concept applicable = atomic_value<T> && fabric::is_defined<Operation, T>();

namespace global {

template <class T, fabric::atomic_operation Operation>
concept applicable_alone = applicable<T, Operation> && !fabric::compares(Operation) &&
                           Operation != fabric::atomic_operation::load;
template <class T, fabric::atomic_operation Operation>
concept applicable_with_comparand = applicable<T, Operation> && fabric::compares(Operation);

}  // namespace global

/// Returns the previous value (store: T{}). Cost: A. Types of 16 bytes ignore `order`.
/// @throws acre::error for a misaligned value of 16 bytes
template <class T, fabric::atomic_operation Operation>
  requires global::applicable_alone<T, Operation>
T atomic_apply(global_ptr<T> target, atomic_op::operation<Operation>,
               std::type_identity_t<T> operand, std::memory_order order = std::memory_order_seq_cst,
               const site& where = site::current()) {
  return global::fetch_atomic<Operation>(target, operand, order, where, T{}, "atomic_apply");
}
template <class T, fabric::atomic_operation Operation>
  requires global::applicable_with_comparand<T, Operation>
T atomic_apply(global_ptr<T> target, atomic_op::operation<Operation>,
               std::type_identity_t<T> comparand, std::type_identity_t<T> operand,
               std::memory_order order = std::memory_order_seq_cst,
               const site& where = site::current()) {
  return global::fetch_atomic<Operation>(target, operand, order, where, comparand, "atomic_apply");
}
template <class T>
  requires atomic_value<std::remove_const_t<T>>
[[nodiscard]] std::remove_const_t<T> atomic_apply(
    global_ptr<T> source, atomic_op::operation<fabric::atomic_operation::load>,
    std::memory_order order = std::memory_order_seq_cst, const site& where = site::current()) {
  return atomic_load(source, order, where);
}

/// As atomic_apply(), without a result; complete after quiet().
template <class T, fabric::atomic_operation Operation>
  requires global::applicable_alone<T, Operation>
void atomic_apply_nbi(global_ptr<T> target, atomic_op::operation<Operation>,
                      std::type_identity_t<T> operand,
                      std::memory_order order = std::memory_order_seq_cst,
                      const site& where = site::current()) {
  global::post_atomic<Operation>(target, operand, order, where, T{}, "atomic_apply_nbi");
}
template <class T, fabric::atomic_operation Operation>
  requires global::applicable_with_comparand<T, Operation>
void atomic_apply_nbi(global_ptr<T> target, atomic_op::operation<Operation>,
                      std::type_identity_t<T> comparand, std::type_identity_t<T> operand,
                      std::memory_order order = std::memory_order_seq_cst,
                      const site& where = site::current()) {
  global::post_atomic<Operation>(target, operand, order, where, comparand, "atomic_apply_nbi");
}

/// As atomic_apply(); returns a future of the previous value, or passes it to on_operation(…)
/// (atomic_completions.hpp).
template <class T, fabric::atomic_operation Operation, global::hears_of_atomic How = site>
  requires global::applicable_alone<T, Operation>
[[nodiscard]] auto atomic_apply_async(global_ptr<T> target, atomic_op::operation<Operation>,
                                      std::type_identity_t<T> operand, How how = site::current()) {
  return global::start_atomic<Operation>(target, operand, how);
}
template <class T, fabric::atomic_operation Operation, global::hears_of_atomic How = site>
  requires global::applicable_with_comparand<T, Operation>
[[nodiscard]] auto atomic_apply_async(global_ptr<T> target, atomic_op::operation<Operation>,
                                      std::type_identity_t<T> comparand,
                                      std::type_identity_t<T> operand, How how = site::current()) {
  return global::start_atomic<Operation>(target, operand, how, comparand);
}

// Compile errors (detail/refused_access.hpp).
template <class... Rest>
void atomic_apply(global::a_global_ptr_to_a_number, const Rest&...);
template <class... Rest>
void atomic_apply_nbi(global::a_global_ptr_to_a_number, const Rest&...);
template <class... Rest>
void atomic_apply_async(global::a_global_ptr_to_a_number, const Rest&...);
template <atomic_value T, class... Rest>
void atomic_apply(global_ptr<T>, global::an_atomic_op_of_the_type, const Rest&...);
template <atomic_value T, class... Rest>
void atomic_apply_nbi(global_ptr<T>, global::an_atomic_op_of_the_type, const Rest&...);
template <atomic_value T, class... Rest>
void atomic_apply_async(global_ptr<T>, global::an_atomic_op_of_the_type, const Rest&...);

}  // namespace acre
