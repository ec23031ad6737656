// SPDX-License-Identifier: BSD-3-Clause
// Operations for reductions: acre::op::sum, product, min, max and those on bits and
// truth values.
//
//     acre::world().allreduce(mine, acre::op::max);
//
// Any function object does in their place that is associative and gives for two
// values a third. It need not be commutative: operands are combined in the order of
// the ranks. min and max want nothing but operator<, so they take structs, and pairs: of
// std::pair(error, rank) the largest error, and the rank that has it.
#pragma once

#include <concepts>

namespace acre {

/// An associative operation on values of T.
template <class Operation, class T>
concept operation_on = std::copy_constructible<Operation> &&
                       requires(const Operation& operation, const T& left, const T& right) {
                         { operation(left, right) } -> std::convertible_to<T>;
                       };

namespace op {

/// What reductions do that are told no operation.
struct addition {
  template <class A, class B>
    requires requires(const A& a, const B& b) { a + b; }
  constexpr auto operator()(const A& a, const B& b) const {
    return a + b;
  }
};

inline constexpr addition sum;
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
