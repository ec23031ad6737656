// SPDX-License-Identifier: BSD-3-Clause
// Atomic operations as data. CPUs of the target's node execute all of them, not network adapters,
// so remote and local ones are coherent.
#pragma once

#include <acre/fabric/atomic_type.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace acre::fabric {

enum class atomic_operation : std::uint8_t {
  load,
  store,
  exchange,
  compare_exchange,
  add,
  bit_and,
  bit_or,
  bit_xor,
  min,
  max,
  product,
  logical_and,
  logical_or,
  logical_xor,
  compare_exchange_ne,
  compare_exchange_le,
  compare_exchange_lt,
  compare_exchange_ge,
  compare_exchange_gt,
  masked_exchange
};
inline constexpr std::size_t atomic_operation_count = 20;

/// True for operations with a second operand, the comparand or mask.
[[nodiscard]] constexpr bool compares(atomic_operation operation) noexcept {
  return operation == atomic_operation::compare_exchange ||
         operation >= atomic_operation::compare_exchange_ne;
}

/// True if the operation is defined for T: bits need an integer, order a real number.
template <atomic_operation Operation, class T>
[[nodiscard]] consteval bool is_defined() {
  using enum atomic_operation;
  constexpr bool uses_bits = Operation == bit_and || Operation == bit_or || Operation == bit_xor ||
                             Operation == masked_exchange;
  constexpr bool uses_order =
      Operation == min || Operation == max ||
      (Operation >= compare_exchange_le && Operation <= compare_exchange_gt);
  if constexpr (uses_bits) return atomic_integer<T>;
  if constexpr (uses_order) return atomic_real<T>;
  return atomic_value<T>;
}

[[nodiscard]] constexpr std::memory_order load_order(std::memory_order order) noexcept {
  using enum std::memory_order;
  return order == relaxed || order == seq_cst ? order : acquire;
}
[[nodiscard]] constexpr std::memory_order store_order(std::memory_order order) noexcept {
  using enum std::memory_order;
  return order == relaxed || order == seq_cst ? order : release;
}

template <atomic_value T>
[[nodiscard]] std::atomic_ref<memory_word_of<T>> as_atomic(T* where) noexcept
  requires(!is_wide<T>)
{
  return std::atomic_ref(*reinterpret_cast<memory_word_of<T>*>(where));
}

/// Replaces *where by f(*where), if may_write(*where). Wide words ignore `order`.
/// @return the old value
template <atomic_value T, class F, class MayWrite>
T fetch_modify_if(T* where, std::memory_order order, MayWrite may_write,
                  F f) noexcept(!is_wide<T>) {
  if constexpr (is_wide<T>) {
    auto* const bits = reinterpret_cast<wide_word*>(where);
    wide_word before = load_wide(bits);
    for (;;) {
      const T now = from_word<T>(before);
      if (!may_write(now) || exchange_if_equal(bits, before, to_memory(T(f(now))))) return now;
    }
  } else {
    const auto bits = as_atomic(where);
    memory_word_of<T> before = bits.load(load_order(order));
    for (;;) {
      const T now = from_word<T>(before);
      if (!may_write(now)) return now;
      if (bits.compare_exchange_weak(before, to_memory(T(f(now))), order, load_order(order))) {
        return now;
      }
    }
  }
}

/// Replaces *where by f(*where). @return the old value
template <atomic_value T, class F>
T fetch_modify(T* where, std::memory_order order, F f) noexcept(!is_wide<T>) {
  return fetch_modify_if(where, order, [](const T&) { return true; }, f);
}

/// The new value of operations on the old one and an operand.
template <atomic_operation Operation, atomic_value T>
[[nodiscard]] T modified(const T& now, const T& operand) noexcept {
  using enum atomic_operation;
  const T zero{};
  if constexpr (Operation == exchange) return operand;
  if constexpr (Operation == add) return static_cast<T>(now + operand);
  if constexpr (Operation == product && atomic_integer<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(now) * static_cast<std::uint64_t>(operand));
  } else if constexpr (Operation == product) {
    return now * operand;
  }
  if constexpr (Operation == logical_and) return T(now != zero && operand != zero);
  if constexpr (Operation == logical_or) return T(now != zero || operand != zero);
  if constexpr (Operation == logical_xor) return T((now != zero) != (operand != zero));
  if constexpr (Operation == min) return operand < now ? operand : now;
  if constexpr (Operation == max) return now < operand ? operand : now;
}

/// True if the comparing operation writes.
template <atomic_operation Operation, atomic_value T>
[[nodiscard]] bool writes(const T& comparand, const T& now) noexcept {
  using enum atomic_operation;
  if constexpr (Operation == compare_exchange) return comparand == now;
  if constexpr (Operation == compare_exchange_ne) return comparand != now;
  if constexpr (Operation == compare_exchange_le) return comparand <= now;
  if constexpr (Operation == compare_exchange_lt) return comparand < now;
  if constexpr (Operation == compare_exchange_ge) return comparand >= now;
  if constexpr (Operation == compare_exchange_gt) return comparand > now;
}

/// @param expected  comparand, or mask of the bits to write
/// @return the old value; T{} for a store
template <atomic_operation Operation, atomic_value T>
T apply_atomic(T* where, T operand, T expected, std::memory_order order) noexcept(!is_wide<T>) {
  using enum atomic_operation;
  static_assert(is_defined<Operation, T>(), "the operation is undefined for this type");
  if constexpr (!is_wide<T> && Operation == load) {
    return from_word<T>(as_atomic(where).load(load_order(order)));
  } else if constexpr (!is_wide<T> && Operation == store) {
    as_atomic(where).store(to_memory(operand), store_order(order));
    return T{};
  } else if constexpr (!is_wide<T> && Operation == exchange) {
    return from_word<T>(as_atomic(where).exchange(to_memory(operand), order));
  } else if constexpr (Operation == load) {
    return from_word<T>(load_wide(reinterpret_cast<wide_word*>(where)));
  } else if constexpr (Operation == store) {
    static_cast<void>(apply_atomic<exchange>(where, operand, expected, order));
    return T{};
  } else if constexpr (Operation == compare_exchange && atomic_integer<T>) {
    std::atomic_ref(*where).compare_exchange_strong(expected, operand, order, load_order(order));
    return expected;
  } else if constexpr (Operation == add && !atomic_complex<T> && !is_wide<T>) {
    return std::atomic_ref(*where).fetch_add(operand, order);
  } else if constexpr (Operation == bit_and) {
    return std::atomic_ref(*where).fetch_and(operand, order);
  } else if constexpr (Operation == bit_or) {
    return std::atomic_ref(*where).fetch_or(operand, order);
  } else if constexpr (Operation == bit_xor) {
    return std::atomic_ref(*where).fetch_xor(operand, order);
  } else if constexpr (Operation == masked_exchange) {
    return fetch_modify(where, order, [=](T now) {
      return static_cast<T>((operand & expected) | (now & ~expected));
    });
  } else if constexpr (compares(Operation)) {
    return fetch_modify_if(
        where, order, [=](const T& now) { return writes<Operation>(expected, now); },
        [=](const T&) { return operand; });
  } else {
    return fetch_modify(where, order,
                        [=](const T& now) { return modified<Operation>(now, operand); });
  }
}

/// Sequentially consistent. @return false if undefined for the type
/// @throws acre::error as exchange_if_equal(), for types of 16 bytes
[[nodiscard]] bool apply_atomic(atomic_operation operation, atomic_type type, void* where,
                                wide_word operand, wide_word expected, wide_word& before);

/// True if the operation is defined for the type.
[[nodiscard]] bool is_defined(atomic_operation operation, atomic_type type) noexcept;

}  // namespace acre::fabric
