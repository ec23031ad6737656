// SPDX-License-Identifier: BSD-3-Clause
// Compile errors with advice for refused accesses: overloads whose parameters have deleted
// constructors. A compiler shows that line with its comment; requires-expressions are false.
#pragma once

#include <acre/base/site.hpp>
#include <acre/fabric/atomic_operation.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/wire/transferable.hpp>

#include <concepts>
#include <span>
#include <type_traits>
#include <utility>

namespace acre::global {

/// True if T{x} compiles for an X: a call with {x} would otherwise be ambiguous.
template <class X, class T>
concept gives_in_braces = std::convertible_to<X, T> || requires(X&& x) { T{std::forward<X>(x)}; };

template <class T>
void take_global_ptr(global_ptr<T>);
/// True for the first arguments that these overloads refuse. Others may belong to user functions of
/// that name.
template <class P>
inline constexpr bool is_element_or_address = false;
template <class T>
inline constexpr bool is_element_or_address<global_ref<T>> = true;
template <class T>
inline constexpr bool is_element_or_address<T*> = !std::same_as<std::remove_cv_t<T>, char>;
template <class P>
concept no_global_ptr = is_element_or_address<P> && !requires(const P& p) { take_global_ptr(p); };
template <class T>
concept refused_elements = !std::is_const_v<T> && !transferable<T>;

struct a_global_ptr_to_write {
  template <no_global_ptr P>
  a_global_ptr_to_write(const P&) = delete;  // give a global_ptr: &a[i], or to_global(pointer)
  template <class T>
  a_global_ptr_to_write(global_ptr<const T>) = delete;  // give a global_ptr<T>, not <const T>
  template <refused_elements T>
  a_global_ptr_to_write(global_ptr<T>) = delete;  // T is trivially copyable; send others by rpc()
};

struct a_global_ptr_to_read {
  template <no_global_ptr P>
  a_global_ptr_to_read(const P&) = delete;  // give a global_ptr: &a[i], or to_global(pointer)
  template <class T>
    requires(!transferable<T>)
  a_global_ptr_to_read(global_ptr<T>) = delete;  // T is trivially copyable; fetch others by rpc()
};

struct a_global_ptr_to_a_number {
  template <no_global_ptr P>
  a_global_ptr_to_a_number(const P&) = delete;  // give a global_ptr: &a[i], or to_global(pointer)
  template <class T>
    requires(!fabric::atomic_value<T>)
  a_global_ptr_to_a_number(global_ptr<T>) = delete;  // T: integers, reals, complex of <= 16 bytes
};

struct a_global_ptr_to_an_integer {
  template <no_global_ptr P>
  a_global_ptr_to_an_integer(const P&) = delete;  // give a global_ptr: &a[i], or to_global(pointer)
  template <class T>
    requires(!fabric::atomic_integer<T>)
  a_global_ptr_to_an_integer(global_ptr<T>) = delete;  // T is an integer, not bool
};

struct a_global_ptr_to_a_real_number {
  template <no_global_ptr P>
  a_global_ptr_to_a_real_number(const P&) = delete;  // give a global_ptr: &a[i], to_global(pointer)
  template <class T>
    requires(!fabric::atomic_real<T>)
  a_global_ptr_to_a_real_number(global_ptr<T>) = delete;  // T is an integer or floating-point type
};

struct an_atomic_op_of_the_type {
  template <class Op>
  an_atomic_op_of_the_type(const Op&) = delete;  // an acre::atomic_op that T has: op, operand
};
template <class T>
struct a_number_of_its_type {
  template <class X>
    requires(!gives_in_braces<X, T>)
  a_number_of_its_type(X&&) = delete;  // an operand is a T for a global_ptr<T>
};

template <class T, class Span>
struct values_of_its_elements {
  template <class X>
    requires(!gives_in_braces<X, T> && !std::convertible_to<X, Span>)
  values_of_its_elements(X&&) = delete;  // write a T, or a span of T: std::span(vector_of_T)
};

template <class X>
concept follows_pointer =
    std::same_as<std::remove_cvref_t<X>, site> || requires { std::remove_cvref_t<X>::end; };

template <class T, class Span>
struct memory_for_its_elements {
  template <class X>
    requires(!std::convertible_to<X, Span> && !follows_pointer<X>)
  memory_for_its_elements(X&&) = delete;  // read into a span of T: std::span(vector_of_T)
};

struct a_global_ptr_to_copy_from {
  template <no_global_ptr P>
  a_global_ptr_to_copy_from(const P&) = delete;  // from a global_ptr; put() writes local memory
};

template <class T>
struct a_global_ptr_to_copy_to {
  template <no_global_ptr P>
  a_global_ptr_to_copy_to(const P&) = delete;  // to a global_ptr; get() reads into local memory
  template <class To>
  a_global_ptr_to_copy_to(global_ptr<const To>) = delete;  // to a global_ptr<T>, not <const T>
  template <class To>
    requires(!std::is_const_v<To> && !std::same_as<To, T>)
  a_global_ptr_to_copy_to(global_ptr<To>) = delete;  // both are global_ptr<T>: bytes are copied
};

template <class T>
using written_values = std::type_identity_t<values_of_its_elements<T, std::span<const T>>>;
template <class T>
using read_values =
    std::type_identity_t<memory_for_its_elements<T, std::span<std::remove_cv_t<T>>>>;
template <class T>
using operand_of = std::type_identity_t<a_number_of_its_type<T>>;
template <class T>
using copy_target = std::type_identity_t<a_global_ptr_to_copy_to<std::remove_cv_t<T>>>;

}  // namespace acre::global

#define ACRE_REFUSE_ACCESS(call, elements, pointer, values) \
  template <class... Rest>                                  \
  void call(global::pointer, const Rest&...);               \
  template <elements T, class... Rest>                      \
  void call(global_ptr<T>, global::values<T>, const Rest&...)
