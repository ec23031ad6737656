// SPDX-License-Identifier: BSD-3-Clause
// Sequential model of the atomic operations: libfabric's definitions, without atomicity.
#pragma once

#include <acre/fabric/atomic_operation.hpp>

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace acre::fabric::test {

using all_atomic_types =
    testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                   std::uint32_t, std::int64_t, std::uint64_t, float, double, std::complex<float>,
                   std::complex<double>, long double>;

inline constexpr std::array every_operation{atomic_operation::load,
                                            atomic_operation::store,
                                            atomic_operation::exchange,
                                            atomic_operation::compare_exchange,
                                            atomic_operation::add,
                                            atomic_operation::bit_and,
                                            atomic_operation::bit_or,
                                            atomic_operation::bit_xor,
                                            atomic_operation::min,
                                            atomic_operation::max,
                                            atomic_operation::product,
                                            atomic_operation::logical_and,
                                            atomic_operation::logical_or,
                                            atomic_operation::logical_xor,
                                            atomic_operation::compare_exchange_ne,
                                            atomic_operation::compare_exchange_le,
                                            atomic_operation::compare_exchange_lt,
                                            atomic_operation::compare_exchange_ge,
                                            atomic_operation::compare_exchange_gt,
                                            atomic_operation::masked_exchange};
static_assert(every_operation.size() == atomic_operation_count);

/// The new value; `possible` is false if the type lacks the operation.
template <class T>
T model(atomic_operation operation, T now, T operand, T comparand, bool& possible) {
  using enum atomic_operation;
  possible = true;
  const auto truth = [](const T& value) { return !(value == T(0)); };
  switch (operation) {
    case load:
      return now;
    case store:
    case exchange:
      return operand;
    case compare_exchange:
      return comparand == now ? operand : now;
    case compare_exchange_ne:
      return comparand == now ? now : operand;
    case add:
      return static_cast<T>(now + operand);
    case product:
      return static_cast<T>(now * operand);
    case logical_and:
      return T(truth(now) && truth(operand) ? 1 : 0);
    case logical_or:
      return T(truth(now) || truth(operand) ? 1 : 0);
    case logical_xor:
      return T(truth(now) != truth(operand) ? 1 : 0);
    default:
      break;
  }
  if constexpr (requires { now < operand; }) {
    switch (operation) {
      case min:
        return std::min(now, operand);
      case max:
        return std::max(now, operand);
      case compare_exchange_le:
        return comparand <= now ? operand : now;
      case compare_exchange_lt:
        return comparand < now ? operand : now;
      case compare_exchange_ge:
        return comparand >= now ? operand : now;
      case compare_exchange_gt:
        return comparand > now ? operand : now;
      default:
        break;
    }
  }
  if constexpr (std::integral<T>) {
    switch (operation) {
      case bit_and:
        return static_cast<T>(now & operand);
      case bit_or:
        return static_cast<T>(now | operand);
      case bit_xor:
        return static_cast<T>(now ^ operand);
      case masked_exchange:
        return static_cast<T>((operand & comparand) | (now & ~comparand));
      default:
        break;
    }
  }
  possible = false;
  return now;
}

/// Small numbers, whose sums and products are exact in every type.
template <class T>
std::array<T, 5> sample_values() {
  if constexpr (atomic_complex<T>) {
    return {T(0, 0), T(1, -2), T(-3, 0), T(0, 2), T(5, 6)};
  } else if constexpr (std::is_signed_v<T>) {
    return {T(0), T(1), T(-3), T(7), T(-8)};
  } else {
    return {T(0), T(1), T(3), T(7), T(12)};
  }
}

/// Calls f(std::integral_constant<atomic_operation, …>) for each operation.
template <class F>
void for_each_operation(F&& f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (f(std::integral_constant<atomic_operation, every_operation[I]>{}), ...);
  }(std::make_index_sequence<atomic_operation_count>());
}

}  // namespace acre::fabric::test
