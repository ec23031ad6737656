// SPDX-License-Identifier: BSD-3-Clause
// Compile errors with advice. Compilers print all enclosing templates and headers before the text,
// so one function contains all texts, and umbrella headers include this header first.
#pragma once

namespace acre::global {

enum class rpc_flaw {
  none,
  is_std_function,
  is_member_pointer,
  captures_what_cannot_travel,
  captures_an_address,
  parameter_is_a_reference,
  number_of_arguments,
  types_of_arguments,
  result_is_a_text_pointer,
  result_is_an_address,
  result_holds_a_view,
  type_stays_with_its_makers,
  type_is_a_team,
  type_is_a_reference,
  type_is_a_member_pointer,
  type_is_a_pointer,
  type_inherits_its_fields,
  type_has_no_load,
  type_owns_an_array,
  type_is_unknown
};

template <rpc_flaw Flaw, rpc_flaw Other>
inline constexpr bool is_not = Flaw != Other;

/// @param Involved  shown by the compiler
template <rpc_flaw Flaw, class... Involved>
consteval void explain_call() {
  using enum rpc_flaw;
  static_assert(is_not<Flaw, is_std_function>,
                "a std::function cannot be sent, because its content is hidden: pass the function "
                "or the lambda itself");
  static_assert(is_not<Flaw, is_member_pointer>,
                "a pointer to a member cannot be sent: pass a lambda that uses the member");
  static_assert(is_not<Flaw, captures_what_cannot_travel>,
                "this lambda captures a value that cannot be sent, for example a string or a "
                "container: captures must be trivially copyable. Pass it as an argument: "
                "rpc(target, [](const std::string& s) { ... }, s)");
  static_assert(is_not<Flaw, captures_an_address>,
                "this lambda captures a reference or a pointer, [&] or [this], which is invalid "
                "on another rank: capture a copy or a global_ptr, or pass an argument");
  static_assert(is_not<Flaw, parameter_is_a_reference>,
                "a parameter of this function is T&, but its argument is a copy that ends with the "
                "call: take it as T or const T&, and return the changed value");
  static_assert(is_not<Flaw, number_of_arguments>,
                "the number of arguments differs from the number of parameters of this function: "
                "pass one argument after the function for each parameter");
  static_assert(is_not<Flaw, types_of_arguments>,
                "this function cannot be called with these arguments: they arrive with their own "
                "types, but a literal as string_view or string, a span as a span of const "
                "elements or a vector, a dist_object<T> as the target's dist_object<T>&");
  static_assert(is_not<Flaw, result_is_a_text_pointer>,
                "this function returns a const char*, which is invalid on another rank: return a "
                "std::string, as in [] { return std::string(...); }");
  static_assert(is_not<Flaw, result_is_an_address>,
                "this function returns a pointer, which is invalid on another rank: return the "
                "value, or a global_ptr");
  static_assert(is_not<Flaw, result_holds_a_view>,
                "the result of this function holds a view of memory that the caller does not have: "
                "return a std::string for a string_view, a std::vector for a span");
  static_assert(is_not<Flaw, type_stays_with_its_makers>,
                "a collection stays on the ranks that created it: send its name, c.id(), to a "
                "parameter of type const acre::collection_id<T>&");
  static_assert(is_not<Flaw, type_is_a_team>,
                "a team cannot be sent: each member has its own handle, from split(). Store the "
                "handle in a dist_object<acre::team> that the function uses, or send the ranks");
  static_assert(is_not<Flaw, type_is_a_reference>,
                "a reference is invalid on another rank: send the value");
  static_assert(is_not<Flaw, type_is_a_member_pointer>,
                "pointers to members cannot be sent: send a lambda or a function that uses the "
                "member");
  static_assert(is_not<Flaw, type_is_a_pointer>,
                "raw pointers are invalid on another rank: send a global_ptr, or the value");
  static_assert(is_not<Flaw, type_inherits_its_fields>,
                "acre_fields is inherited from a base class and omits the members of this class: "
                "define one for this class too");
  static_assert(is_not<Flaw, type_has_no_load>,
                "acre_save requires acre_load for the same class: "
                "friend T acre_load(std::type_identity<T>, S what_acre_save_returned)");
  static_assert(is_not<Flaw, type_owns_an_array>,
                "a unique_ptr or shared_ptr to an array or to a polymorphic class cannot be sent: "
                "send a vector or a variant, or list the derived classes in acre_classes "
                "(serialization.hpp)");
  static_assert(is_not<Flaw, type_is_unknown>,
                "acre cannot send this type: it is neither trivially copyable nor a container. "
                "Name its members, in the class or in its namespace: "
                "friend auto acre_fields(T& x) { return std::tie(x.a, x.b); }   "
                "A lambda with captures that are not trivially copyable cannot be sent: pass them "
                "as arguments. Containers of Acre stay on the ranks that created them: wrap one "
                "in a dist_object, and pass that");
}

}  // namespace acre::global
