// SPDX-License-Identifier: BSD-3-Clause
// Atomic operations as data. CPUs of the target's node execute all of them, not network adapters,
// so remote and local ones are coherent.
#pragma once

#include <acre/fabric/message.hpp>

#include <atomic>
#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

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
  max
};

enum class atomic_type : std::uint8_t { int32, uint32, int64, uint64, float32, float64 };

template <class T>
concept atomic_integer = std::integral<T> && std::same_as<T, std::remove_cv_t<T>> &&
                         !std::same_as<T, bool> && (sizeof(T) == 4 || sizeof(T) == 8);

template <class T>
concept atomic_value = atomic_integer<T> || std::same_as<T, float> || std::same_as<T, double>;

template <atomic_value T>
[[nodiscard]] consteval atomic_type atomic_type_of() {
  if constexpr (std::floating_point<T>) {
    return sizeof(T) == 4 ? atomic_type::float32 : atomic_type::float64;
  } else if constexpr (std::signed_integral<T>) {
    return sizeof(T) == 4 ? atomic_type::int32 : atomic_type::int64;
  } else {
    return sizeof(T) == 4 ? atomic_type::uint32 : atomic_type::uint64;
  }
}

template <atomic_value T>
[[nodiscard]] word to_word(T value) noexcept {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<std::uint32_t>(value);
  } else {
    return std::bit_cast<std::uint64_t>(value);
  }
}
template <atomic_value T>
[[nodiscard]] T from_word(word bits) noexcept {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  } else {
    return std::bit_cast<T>(bits);
  }
}

[[nodiscard]] constexpr std::memory_order load_order(std::memory_order order) noexcept {
  using enum std::memory_order;
  return order == relaxed || order == seq_cst ? order : acquire;
}
[[nodiscard]] constexpr std::memory_order store_order(std::memory_order order) noexcept {
  using enum std::memory_order;
  return order == relaxed || order == seq_cst ? order : release;
}

/// Replaces *where by f(*where). @return the old value
template <atomic_value T, class F>
T fetch_modify(T* where, std::memory_order order, F f) noexcept {
  std::atomic_ref<T> target(*where);
  T before = target.load(std::memory_order_relaxed);
  while (!target.compare_exchange_weak(before, f(before), order, std::memory_order_relaxed)) {
  }
  return before;
}

/// @return the old value; T{} for a store
template <atomic_operation Operation, atomic_value T>
T apply_atomic(T* where, T operand, T expected, std::memory_order order) noexcept {
  using enum atomic_operation;
  std::atomic_ref<T> target(*where);
  if constexpr (Operation == load) {
    return target.load(load_order(order));
  } else if constexpr (Operation == store) {
    target.store(operand, store_order(order));
    return T{};
  } else if constexpr (Operation == exchange) {
    return target.exchange(operand, order);
  } else if constexpr (Operation == compare_exchange) {
    target.compare_exchange_strong(expected, operand, order, load_order(order));
    return expected;
  } else if constexpr (Operation == add) {
    return target.fetch_add(operand, order);
  } else if constexpr (Operation == min) {
    return fetch_modify(where, order, [=](T now) { return operand < now ? operand : now; });
  } else if constexpr (Operation == max) {
    return fetch_modify(where, order, [=](T now) { return now < operand ? operand : now; });
  } else {
    static_assert(atomic_integer<T>, "bitwise operations require an integer type");
    if constexpr (Operation == bit_and) return target.fetch_and(operand, order);
    if constexpr (Operation == bit_or) return target.fetch_or(operand, order);
    if constexpr (Operation == bit_xor) return target.fetch_xor(operand, order);
  }
}

/// Sequentially consistent. @return false if unsupported
[[nodiscard]] bool apply_atomic(atomic_operation operation, atomic_type type, void* where,
                                word operand, word expected, word& before) noexcept;

[[nodiscard]] constexpr std::size_t size_of(atomic_type type) noexcept {
  using enum atomic_type;
  return type == int32 || type == uint32 || type == float32 ? 4 : 8;
}

}  // namespace acre::fabric
