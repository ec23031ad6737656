// SPDX-License-Identifier: BSD-3-Clause
// Operations for reductions. Any associative function object on two values may replace them; it
// need not be commutative. min and max require only operator<.
#pragma once

#include <concepts>

namespace acre {

/// Associative operation on T.
template <class Operation, class T>
concept operation_on = std::copy_constructible<Operation> &&
                       requires(const Operation& operation, const T& left, const T& right) {
                         { operation(left, right) } -> std::convertible_to<T>;
                       };

namespace op {

/// Default operation.
struct addition {
  template <class A, class B>
    requires requires(const A& a, const B& b) { a + b; }
  constexpr auto operator()(const A& a, const B& b) const {
    return a + b;
  }
};

/// Exact sum, rounded once (reproducible_sum): the same bits for any members, distribution and
/// order.
struct reproducible_addition {
  /// Compile error: other calls combine values in pairs.
  template <class T>
  constexpr T operator()(const T& a, const T& /*b*/) const {
    constexpr bool combines_pairs = sizeof(T) == 0;  // of no T
    static_assert(combines_pairs,
                  "op::reproducible_sum is for reductions of floating-point numbers: integers are "
                  "added exactly by acre::op::sum, which also adds acre::reproducible_sum<T>");
    return a;
  }
};

inline constexpr addition sum;
inline constexpr reproducible_addition reproducible_sum;
inline constexpr auto product = [](const auto& a, const auto& b) { return a * b; };
inline constexpr auto bit_and = [](const auto& a, const auto& b) { return a & b; };
inline constexpr auto bit_or = [](const auto& a, const auto& b) { return a | b; };
inline constexpr auto bit_xor = [](const auto& a, const auto& b) { return a ^ b; };
inline constexpr auto logical_and = [](const auto& a, const auto& b) { return a && b; };
inline constexpr auto logical_or = [](const auto& a, const auto& b) { return a || b; };
inline constexpr auto min = [](const auto& a, const auto& b) { return b < a ? b : a; };
inline constexpr auto max = [](const auto& a, const auto& b) { return a < b ? b : a; };

}  // namespace op
}  // namespace acre
