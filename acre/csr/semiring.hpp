// SPDX-License-Identifier: BSD-3-Clause
// Semirings: types with static functions, named as in the GraphBLAS C API. Programs may define
// others:
//
//     struct widest_path {
//       using value_type = int;
//       static int zero() { return 0; }
//       static int add(int a, int b) { return std::max(a, b); }
//       static int multiply(int a, int b) { return std::min(a, b); }
//     };
#pragma once

#include <acre/base/times.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace acre {

/// Associative, commutative addition with neutral zero(), in unspecified order.
template <class S>
concept additive = requires(const typename S::value_type& value) {
  { S::zero() } -> std::convertible_to<typename S::value_type>;
  { S::add(value, value) } -> std::convertible_to<typename S::value_type>;
};

/// An additive with a multiplication of an A by a B.
template <class S, class A, class B = A>
concept semiring = additive<S> && requires(const A& a, const B& b) {
  { S::multiply(a, b) } -> std::convertible_to<typename S::value_type>;
};

/// True if further additions cannot change some sums; loops then end early.
template <class S>
concept has_terminal = requires(const typename S::value_type& value) {
  { S::is_terminal(value) } -> std::convertible_to<bool>;
};

/// Value type of matrices without values.
struct present {
  friend constexpr bool operator==(present, present) noexcept { return true; }
};

namespace monoids {

template <class T>
struct plus {
  using value_type = T;
  static constexpr T zero() noexcept { return T{}; }
  static constexpr T add(const T& a, const T& b) { return static_cast<T>(a + b); }
};

/// Types with operator<; complex numbers have none.
template <class T>
concept ordered = requires(const T& a, const T& b) {
  { a < b } -> std::convertible_to<bool>;
};

/// Minimum; zero is infinity or the largest value.
template <ordered T>
struct min {
  using value_type = T;
  static constexpr T zero() noexcept {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? limits::infinity() : limits::max();
  }
  static constexpr T add(const T& a, const T& b) { return b < a ? b : a; }
  static constexpr bool is_terminal(const T& a) noexcept {
    using limits = std::numeric_limits<T>;
    return a == (limits::has_infinity ? -limits::infinity() : limits::lowest());
  }
};

template <ordered T>
struct max {
  using value_type = T;
  static constexpr T zero() noexcept {
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? -limits::infinity() : limits::lowest();
  }
  static constexpr T add(const T& a, const T& b) { return a < b ? b : a; }
  static constexpr bool is_terminal(const T& a) noexcept {
    using limits = std::numeric_limits<T>;
    return a == (limits::has_infinity ? limits::infinity() : limits::max());
  }
};

struct logical_or {
  using value_type = bool;
  static constexpr bool zero() noexcept { return false; }
  static constexpr bool add(bool a, bool b) noexcept { return a || b; }
  static constexpr bool is_terminal(bool a) noexcept { return a; }
};

/// Addition that returns any of its operands, unspecified; zero is T{}.
template <class T>
struct any {
  using value_type = T;
  static constexpr T zero() noexcept { return T{}; }
  static constexpr T add(const T& a, const T& b) { return a == T{} ? b : a; }
  static constexpr bool is_terminal(const T& a) noexcept { return !(a == T{}); }
};

}  // namespace monoids

/// Multiplications. times and plus need values; without them use first, second or pair.
namespace products {

/// Unsigned integers wrap around.
template <class T>
struct times {
  static constexpr T multiply(const auto& a, const auto& b) {
    return base::times(static_cast<T>(a), static_cast<T>(b));
  }
};
/// Addition as multiplication, e.g. for min_plus; the zero of `Addition` annihilates. Integers
/// saturate; infinity - infinity is NaN. For max of unsigned integers 0 means no value.
template <additive Addition, class T = typename Addition::value_type>
struct plus {
  static constexpr T multiply(const auto& one, const auto& other) {
    const auto a = static_cast<T>(one);
    const auto b = static_cast<T>(other);
    if constexpr (std::is_integral_v<T>) {
      using limits = std::numeric_limits<T>;
      if (a == Addition::zero() || b == Addition::zero()) return Addition::zero();
      T sum{};
      if (!__builtin_add_overflow(a, b, &sum)) return sum;
      return b < T{} ? limits::lowest() : limits::max();
    } else {
      return static_cast<T>(a + b);
    }
  }
};
template <class T>
struct first {
  static constexpr T multiply(const auto& a, const auto&) { return static_cast<T>(a); }
};
template <class T>
struct second {
  static constexpr T multiply(const auto&, const auto& b) { return static_cast<T>(b); }
};
template <class T>
struct pair {
  static constexpr T multiply(const auto&, const auto&) { return T{1}; }
};
template <class T>
struct logical_and {
  static constexpr T multiply(const auto& a, const auto& b) { return a && b; }
};

}  // namespace products

namespace semirings {

template <class Addition, class Multiplication>
struct of : Addition, Multiplication {};

template <class T>
using plus_times = of<monoids::plus<T>, products::times<T>>;
template <class T>
using plus_first = of<monoids::plus<T>, products::first<T>>;
template <class T>
using plus_second = of<monoids::plus<T>, products::second<T>>;
/// Counts pairs of factors.
template <class T>
using plus_pair = of<monoids::plus<T>, products::pair<T>>;
template <class T>
using min_plus = of<monoids::min<T>, products::plus<monoids::min<T>>>;
template <class T>
using min_times = of<monoids::min<T>, products::times<T>>;
template <class T>
using min_first = of<monoids::min<T>, products::first<T>>;
template <class T>
using min_second = of<monoids::min<T>, products::second<T>>;
template <class T>
using max_plus = of<monoids::max<T>, products::plus<monoids::max<T>>>;
template <class T>
using max_times = of<monoids::max<T>, products::times<T>>;
template <class T>
using max_first = of<monoids::max<T>, products::first<T>>;
template <class T>
using max_second = of<monoids::max<T>, products::second<T>>;
using or_and = of<monoids::logical_or, products::logical_and<bool>>;
using or_pair = of<monoids::logical_or, products::pair<bool>>;
template <class T>
using any_first = of<monoids::any<T>, products::first<T>>;
template <class T>
using any_second = of<monoids::any<T>, products::second<T>>;
template <class T>
using any_pair = of<monoids::any<T>, products::pair<T>>;

}  // namespace semirings

}  // namespace acre
