// SPDX-License-Identifier: BSD-3-Clause
// Operators +=, ++ and others of references that read by conversion and write by assignment.
#pragma once

#include <concepts>

namespace acre::global {

template <class X>
[[nodiscard]] constexpr decltype(auto) operand_value(const X& x) {
  if constexpr (requires { typename X::refers_to_a_value; }) {
    return static_cast<typename X::value_type>(x);
  } else {
    return (x);
  }
}

/// Defines r op= x as a read, the operation on a copy, and a write. Not atomic.
template <class Ref, class T>
class compound_assignment {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#define ACRE_COMPOUND(op)                                     \
  template <class X>                                          \
    requires requires(const Ref& r, T& value, const X& x) {   \
      value op global::operand_value(x);                      \
      r = value;                                              \
    }                                                         \
  friend const Ref& operator op(const Ref & r, const X & x) { \
    T value = r;                                              \
    value op global::operand_value(x);                        \
    return r = value;                                         \
  }
  ACRE_COMPOUND(+=)
  ACRE_COMPOUND(-=)
  ACRE_COMPOUND(*=)
  ACRE_COMPOUND(/=)
  ACRE_COMPOUND(%=)
  ACRE_COMPOUND(&=)
  ACRE_COMPOUND(|=)
  ACRE_COMPOUND(^=)
  ACRE_COMPOUND(<<=)
  ACRE_COMPOUND(>>=)
#undef ACRE_COMPOUND
#define ACRE_STEP(op)                         \
  template <std::same_as<Ref> R>              \
    requires requires(const R& r, T& value) { \
      op value;                               \
      r = value;                              \
    }                                         \
  friend const R& operator op(const R & r) {  \
    T value = r;                              \
    op value;                                 \
    return r = value;                         \
  }                                           \
  template <std::same_as<Ref> R>              \
    requires requires(const R& r, T& value) { \
      op value;                               \
      r = value;                              \
    }                                         \
  friend T operator op(const R& r, int) {     \
    const T before = r;                       \
    T value = before;                         \
    op value;                                 \
    r = value;                                \
    return before;                            \
  }
  ACRE_STEP(++)
  ACRE_STEP(--)
#undef ACRE_STEP
#pragma GCC diagnostic pop
};

}  // namespace acre::global
