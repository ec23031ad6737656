// SPDX-License-Identifier: BSD-3-Clause
// Atomics on numbers of any rank: integers of 1 to 8 bytes, floating-point and complex numbers of
// up to 16. All ranks may mix operations on one word, which must be aligned to its size. Default
// order: sequentially consistent. atomic_apply.hpp has all operations in one form.
//
// Cost: A. To another node a round trip; _nbi forms do not wait for it, and complete at quiet().
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/memory/detail/refused_access.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/runtime/remote.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace acre {

using fabric::atomic_integer;
using fabric::atomic_real;
using fabric::atomic_value;

namespace global {

[[nodiscard]] constexpr const char* fetching_call(fabric::atomic_operation operation) noexcept {
  constexpr std::array names = {
      "atomic_load", "atomic_store", "atomic_exchange", "atomic_compare_exchange",
      "fetch_add",   "fetch_and",    "fetch_or",        "fetch_xor",
      "fetch_min",   "fetch_max"};
  const auto number = static_cast<std::size_t>(operation);
  return number < names.size() ? names[number] : "atomic_apply";
}
[[nodiscard]] constexpr const char* posting_call(fabric::atomic_operation operation) noexcept {
  constexpr std::array names = {
      "atomic_load",    "atomic_store_nbi", "atomic_exchange", "atomic_compare_exchange",
      "atomic_add_nbi", "atomic_and_nbi",   "atomic_or_nbi",   "atomic_xor_nbi",
      "atomic_min_nbi", "atomic_max_nbi"};
  const auto number = static_cast<std::size_t>(operation);
  return number < names.size() ? names[number] : "atomic_apply_nbi";
}

/// Complex numbers of 8 bytes may be aligned to 4 only.
template <atomic_value T>
void require_alignment(const std::byte* address) {
  if constexpr (alignof(T) < sizeof(T) && !fabric::is_wide<T>) {
    if (reinterpret_cast<std::uintptr_t>(address) % sizeof(T) != 0) runtime::throw_refused_atomic();
  }
}

template <fabric::atomic_operation Operation, atomic_value T>
T fetch_atomic(global_ptr<T> target, T operand, std::memory_order order, const site& where,
               T expected = T{}, const char* call = fetching_call(Operation)) {
  check_pointer(target.bits(), sizeof(T), call, where);
  if (std::byte* address = runtime::direct_address(target.bits())) [[likely]] {
    require_alignment<T>(address);
    runtime::count(runtime::counted::direct_atomic);
    return fabric::apply_atomic<Operation>(reinterpret_cast<T*>(address), operand, expected, order);
  }
  return fabric::from_word<T>(runtime::run_remote_atomic(Operation, fabric::atomic_type_of<T>(),
                                                         target.bits(), fabric::to_word(operand),
                                                         fabric::to_word(expected)));
}

template <fabric::atomic_operation Operation, atomic_value T>
void post_atomic(global_ptr<T> target, T operand, std::memory_order order, const site& where,
                 T expected = T{}, const char* call = posting_call(Operation)) {
  check_pointer(target.bits(), sizeof(T), call, where);
  if (std::byte* address = runtime::direct_address(target.bits())) [[likely]] {
    require_alignment<T>(address);
    runtime::count(runtime::counted::direct_atomic);
    fabric::apply_atomic<Operation>(reinterpret_cast<T*>(address), operand, expected, order);
    return;
  }
  runtime::post_remote_atomic(Operation, fabric::atomic_type_of<T>(), target.bits(),
                              fabric::to_word(operand), fabric::to_word(expected));
}

}  // namespace global

/// Reads; never torn, never older than a value this rank has seen.
template <class T>
  requires atomic_value<std::remove_const_t<T>>
[[nodiscard]] std::remove_const_t<T> atomic_load(
    global_ptr<T> source, std::memory_order order = std::memory_order_seq_cst,
    const site& where = site::current()) {
  using value = std::remove_const_t<T>;
  return global::fetch_atomic<fabric::atomic_operation::load>(const_pointer_cast<value>(source),
                                                              value{}, order, where);
}

/// Writes; returns when the target's memory has the value.
template <atomic_value T>
void atomic_store(global_ptr<T> target, std::type_identity_t<T> value,
                  std::memory_order order = std::memory_order_seq_cst,
                  const site& where = site::current()) {
  static_cast<void>(
      global::fetch_atomic<fabric::atomic_operation::store>(target, value, order, where));
}

/// Writes; returns the previous value.
template <atomic_value T>
T atomic_exchange(global_ptr<T> target, std::type_identity_t<T> value,
                  std::memory_order order = std::memory_order_seq_cst,
                  const site& where = site::current()) {
  return global::fetch_atomic<fabric::atomic_operation::exchange>(target, value, order, where);
}

/// Writes `desired` if the value is `expected`. Returns the previous value.
template <atomic_integer T>
T atomic_compare_exchange(global_ptr<T> target, std::type_identity_t<T> expected,
                          std::type_identity_t<T> desired,
                          std::memory_order order = std::memory_order_seq_cst,
                          const site& where = site::current()) {
  return global::fetch_atomic<fabric::atomic_operation::compare_exchange>(target, desired, order,
                                                                          where, expected);
}

/// These return the previous value.
template <atomic_value T>
T fetch_add(global_ptr<T> target, std::type_identity_t<T> operand,
            std::memory_order order = std::memory_order_seq_cst,
            const site& where = site::current()) {
  return global::fetch_atomic<fabric::atomic_operation::add>(target, operand, order, where);
}
template <atomic_value T>
T fetch_sub(global_ptr<T> target, std::type_identity_t<T> operand,
            std::memory_order order = std::memory_order_seq_cst,
            const site& where = site::current()) {
  return fetch_add(target, static_cast<T>(T{} - operand), order, where);
}
template <atomic_integer T>
T fetch_and(global_ptr<T> target, std::type_identity_t<T> operand,
            std::memory_order order = std::memory_order_seq_cst,
            const site& where = site::current()) {
  return global::fetch_atomic<fabric::atomic_operation::bit_and>(target, operand, order, where);
}
template <atomic_integer T>
T fetch_or(global_ptr<T> target, std::type_identity_t<T> operand,
           std::memory_order order = std::memory_order_seq_cst,
           const site& where = site::current()) {
  return global::fetch_atomic<fabric::atomic_operation::bit_or>(target, operand, order, where);
}
template <atomic_integer T>
T fetch_xor(global_ptr<T> target, std::type_identity_t<T> operand,
            std::memory_order order = std::memory_order_seq_cst,
            const site& where = site::current()) {
  return global::fetch_atomic<fabric::atomic_operation::bit_xor>(target, operand, order, where);
}
template <atomic_real T>
T fetch_min(global_ptr<T> target, std::type_identity_t<T> operand,
            std::memory_order order = std::memory_order_seq_cst,
            const site& where = site::current()) {
  return global::fetch_atomic<fabric::atomic_operation::min>(target, operand, order, where);
}
template <atomic_real T>
T fetch_max(global_ptr<T> target, std::type_identity_t<T> operand,
            std::memory_order order = std::memory_order_seq_cst,
            const site& where = site::current()) {
  return global::fetch_atomic<fabric::atomic_operation::max>(target, operand, order, where);
}

/// The _nbi forms return no result and are complete after quiet().
template <atomic_value T>
void atomic_store_nbi(global_ptr<T> target, std::type_identity_t<T> value,
                      std::memory_order order = std::memory_order_seq_cst,
                      const site& where = site::current()) {
  global::post_atomic<fabric::atomic_operation::store>(target, value, order, where);
}
template <atomic_value T>
void atomic_add_nbi(global_ptr<T> target, std::type_identity_t<T> operand,
                    std::memory_order order = std::memory_order_seq_cst,
                    const site& where = site::current()) {
  global::post_atomic<fabric::atomic_operation::add>(target, operand, order, where);
}
template <atomic_value T>
void atomic_sub_nbi(global_ptr<T> target, std::type_identity_t<T> operand,
                    std::memory_order order = std::memory_order_seq_cst,
                    const site& where = site::current()) {
  atomic_add_nbi(target, static_cast<T>(T{} - operand), order, where);
}
template <atomic_integer T>
void atomic_and_nbi(global_ptr<T> target, std::type_identity_t<T> operand,
                    std::memory_order order = std::memory_order_seq_cst,
                    const site& where = site::current()) {
  global::post_atomic<fabric::atomic_operation::bit_and>(target, operand, order, where);
}
template <atomic_integer T>
void atomic_or_nbi(global_ptr<T> target, std::type_identity_t<T> operand,
                   std::memory_order order = std::memory_order_seq_cst,
                   const site& where = site::current()) {
  global::post_atomic<fabric::atomic_operation::bit_or>(target, operand, order, where);
}
template <atomic_integer T>
void atomic_xor_nbi(global_ptr<T> target, std::type_identity_t<T> operand,
                    std::memory_order order = std::memory_order_seq_cst,
                    const site& where = site::current()) {
  global::post_atomic<fabric::atomic_operation::bit_xor>(target, operand, order, where);
}
template <atomic_real T>
void atomic_min_nbi(global_ptr<T> target, std::type_identity_t<T> operand,
                    std::memory_order order = std::memory_order_seq_cst,
                    const site& where = site::current()) {
  global::post_atomic<fabric::atomic_operation::min>(target, operand, order, where);
}
template <atomic_real T>
void atomic_max_nbi(global_ptr<T> target, std::type_identity_t<T> operand,
                    std::memory_order order = std::memory_order_seq_cst,
                    const site& where = site::current()) {
  global::post_atomic<fabric::atomic_operation::max>(target, operand, order, where);
}

// Compile errors (detail/refused_access.hpp).
ACRE_REFUSE_ACCESS(atomic_store, atomic_value, a_global_ptr_to_a_number, operand_of);
ACRE_REFUSE_ACCESS(atomic_exchange, atomic_value, a_global_ptr_to_a_number, operand_of);
ACRE_REFUSE_ACCESS(fetch_add, atomic_value, a_global_ptr_to_a_number, operand_of);
ACRE_REFUSE_ACCESS(fetch_sub, atomic_value, a_global_ptr_to_a_number, operand_of);
ACRE_REFUSE_ACCESS(fetch_min, atomic_real, a_global_ptr_to_a_real_number, operand_of);
ACRE_REFUSE_ACCESS(fetch_max, atomic_real, a_global_ptr_to_a_real_number, operand_of);
ACRE_REFUSE_ACCESS(atomic_store_nbi, atomic_value, a_global_ptr_to_a_number, operand_of);
ACRE_REFUSE_ACCESS(atomic_add_nbi, atomic_value, a_global_ptr_to_a_number, operand_of);
ACRE_REFUSE_ACCESS(atomic_sub_nbi, atomic_value, a_global_ptr_to_a_number, operand_of);
ACRE_REFUSE_ACCESS(atomic_min_nbi, atomic_real, a_global_ptr_to_a_real_number, operand_of);
ACRE_REFUSE_ACCESS(atomic_max_nbi, atomic_real, a_global_ptr_to_a_real_number, operand_of);
ACRE_REFUSE_ACCESS(atomic_compare_exchange, atomic_integer, a_global_ptr_to_an_integer, operand_of);
ACRE_REFUSE_ACCESS(fetch_and, atomic_integer, a_global_ptr_to_an_integer, operand_of);
ACRE_REFUSE_ACCESS(fetch_or, atomic_integer, a_global_ptr_to_an_integer, operand_of);
ACRE_REFUSE_ACCESS(fetch_xor, atomic_integer, a_global_ptr_to_an_integer, operand_of);
ACRE_REFUSE_ACCESS(atomic_and_nbi, atomic_integer, a_global_ptr_to_an_integer, operand_of);
ACRE_REFUSE_ACCESS(atomic_or_nbi, atomic_integer, a_global_ptr_to_an_integer, operand_of);
ACRE_REFUSE_ACCESS(atomic_xor_nbi, atomic_integer, a_global_ptr_to_an_integer, operand_of);
template <class... Rest>
void atomic_load(global::a_global_ptr_to_a_number, const Rest&...);

}  // namespace acre
