// SPDX-License-Identifier: BSD-3-Clause
// What a product of matrices adds and multiplies with.
//
//     auto lengths = acre::spgemm<acre::semirings::min_plus<double>>(roads, roads);
//
// A semiring is a type with static functions: programs write their own as easily as those below,
// which have the names of GraphBLAS. Everything is known when a program is compiled, so a product
// with plus_times is a multiplication and an addition in a loop, and one with plus_pair counts.
//
//     struct widest_path {                        // the narrowest edge of a path, the widest path
//       using value_type = int;
//       static int zero() { return 0; }
//       static int add(int a, int b) { return std::max(a, b); }
//       static int multiply(int a, int b) { return std::min(a, b); }
//     };
//
// Source: Buluç, Mattson, McMillan, Moreira, Yang: The GraphBLAS C API Specification.
#pragma once

#include <acre/base/times.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace acre {

/// An addition, and the zero that changes nothing when it is added. Additions are associative and
/// commutative: in which order elements are added is nobody's promise.
template <class S>
concept additive = requires(const typename S::value_type& value) {
  { S::zero() } -> std::convertible_to<typename S::value_type>;
  { S::add(value, value) } -> std::convertible_to<typename S::value_type>;
};

/// That, and a multiplication of an A by a B.
template <class S, class A, class B = A>
concept semiring = additive<S> && requires(const A& a, const B& b) {
  { S::multiply(a, b) } -> std::convertible_to<typename S::value_type>;
};

/// One that knows when a sum changes no more, whatever else is added: loops end there.
template <class S>
concept has_terminal = requires(const typename S::value_type& value) {
  { S::is_terminal(value) } -> std::convertible_to<bool>;
};

/// The value of each entry of a matrix that says only where entries are, as a graph does.
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

/// The smallest; zero is more than all, infinity where there is one.
template <class T>
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

/// The largest.
template <class T>
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

/// Any of those that are added, it does not matter which. What is T{} is none.
template <class T>
struct any {
  using value_type = T;
  static constexpr T zero() noexcept { return T{}; }
  static constexpr T add(const T& a, const T& b) { return a == T{} ? b : a; }
  static constexpr bool is_terminal(const T& a) noexcept { return !(a == T{}); }
};

}  // namespace monoids

/// What becomes of an entry of the first matrix and one of the second. The value of an entry that
/// has none is of no use to times and plus: take first, second or pair.
namespace products {

/// Unsigned integers wrap around.
template <class T>
struct times {
  static constexpr T multiply(const auto& a, const auto& b) {
    return base::times(static_cast<T>(a), static_cast<T>(b));
  }
};
/// A sum, for the semiring of an addition, as min: its zero, which says that there is nothing, plus
/// anything is that zero. Of integers, what is more than the largest or less than the smallest is
/// that one; floating point has infinity for both, and makes no number of infinity less infinity.
/// The zero of max is the smallest integer: of unsigned ones 0, so there 0 is nothing.
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

/// A semiring of an addition and a multiplication.
template <class Addition, class Multiplication>
struct of : Addition, Multiplication {};

template <class T>
using plus_times = of<monoids::plus<T>, products::times<T>>;
template <class T>
using plus_first = of<monoids::plus<T>, products::first<T>>;
template <class T>
using plus_second = of<monoids::plus<T>, products::second<T>>;
/// How many pairs meet.
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
/// Whether any pair meets.
using or_pair = of<monoids::logical_or, products::pair<bool>>;
template <class T>
using any_first = of<monoids::any<T>, products::first<T>>;
template <class T>
using any_second = of<monoids::any<T>, products::second<T>>;
template <class T>
using any_pair = of<monoids::any<T>, products::pair<T>>;

}  // namespace semirings

}  // namespace acre
