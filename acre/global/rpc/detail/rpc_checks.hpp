// SPDX-License-Identifier: BSD-3-Clause
// Compile-time checks of calls: one assertion with advice per error.
#pragma once

#include <acre/global/future/future.hpp>
#include <acre/global/wire/call_flaws.hpp>
#include <acre/global/wire/captured_address.hpp>
#include <acre/global/wire/detail/owned.hpp>
#include <acre/global/wire/serialization.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace acre::global {

/// Default of F for overloaded functions, shown in errors.
struct overload_to_be_chosen_by_static_cast {};
template <class F>
inline constexpr bool is_overloaded =
    std::is_same_v<std::remove_cvref_t<F>, overload_to_be_chosen_by_static_cast>;

template <class F>
concept stateless = std::is_empty_v<F> && std::default_initializable<F>;
template <class F>
concept travelling_function = stateless<F> || serializable<F>;

template <class F>
concept std_function_like = requires(const F& function) {
  typename F::result_type;
  function.target_type();
};

template <class T>
inline constexpr bool has_one_at_target = false;
template <class T>
concept possible_argument = serializable<T> || has_one_at_target<std::remove_cvref_t<T>>;

template <class T>
concept reference_to_change =
    std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>> &&
    !has_one_at_target<std::remove_cvref_t<T>>;

struct unknown_parameters {
  static constexpr bool known = false;
};
template <class... P>
struct known_parameters {
  static constexpr bool known = true;
  static constexpr std::size_t count = sizeof...(P);
  static constexpr bool wants_to_change = (reference_to_change<P> || ...);
};

template <class R, class... P>
known_parameters<P...> parameters_in(R (*)(P...));
template <class C, class R, class... P>
known_parameters<P...> parameters_in(R (C::*)(P...));
template <class C, class R, class... P>
known_parameters<P...> parameters_in(R (C::*)(P...) const);

template <class F>
consteval auto find_parameters() {
  if constexpr (requires(F function) { parameters_in(function); }) {
    return decltype(parameters_in(std::declval<F>())){};
  } else if constexpr (requires { parameters_in(&F::operator()); }) {
    return decltype(parameters_in(&F::operator())){};
  } else {
    return unknown_parameters{};
  }
}

template <class... Received>
struct arriving {};
template <class F, class... Arguments>
using arriving_for =
    std::conditional_t<std::invocable<F&, received_t<Arguments>...>,
                       arriving<received_t<Arguments>...>, arriving<owned_t<Arguments>...>>;

template <class F, class Arriving>
struct call_with;
template <class F, class... Received>
struct call_with<F, arriving<Received...>> {
  using result = std::invoke_result_t<F&, Received...>;
};
template <class F, class... Arguments>
using rpc_result_t = typename call_with<F, arriving_for<F, Arguments...>>::result;

template <class T>
struct brought {
  using type = std::remove_cvref_t<T>;
};
template <class T>
struct brought<future<T>> {
  using type = T;
};
template <class T>
using brought_t = typename brought<std::remove_cvref_t<T>>::type;

template <class Brought>
struct rpc_value : whole_result<Brought> {};
template <>
struct rpc_value<void> {
  using type = void;
};

/// Innermost type that cannot be sent, or void.
template <class T>
struct not_sendable;
template <class T>
using not_sendable_t = typename not_sendable<std::remove_cvref_t<T>>::type;

template <class... Parts>
struct first_not_sendable {
  using type = void;
};
template <class First, class... More>
struct first_not_sendable<First, More...>
    : std::conditional_t<std::is_void_v<not_sendable_t<First>>, first_not_sendable<More...>,
                         not_sendable<std::remove_cvref_t<First>>> {};

template <class Tuple>
struct first_element_not_sendable;
template <template <class...> class Tuple, class... Elements>
struct first_element_not_sendable<Tuple<Elements...>> : first_not_sendable<Elements...> {};

template <class T>
consteval auto find_not_sendable() {
  constexpr encoding how = encoding_of<T>;
  if constexpr (possible_argument<T>) {
    return std::type_identity<void>{};
  } else if constexpr (how == encoding::none) {
    return std::type_identity<T>{};
  } else if constexpr (how == encoding::associative) {
    if constexpr (requires { typename T::mapped_type; }) {
      return first_not_sendable<typename T::key_type, typename T::mapped_type>{};
    } else {
      return not_sendable<std::remove_cv_t<typename T::key_type>>{};
    }
  } else if constexpr (how == encoding::variant || how == encoding::tuple) {
    return first_element_not_sendable<T>{};
  } else if constexpr (how == encoding::c_array) {
    return not_sendable<std::remove_cv_t<std::remove_extent_t<T>>>{};
  } else {
    return not_sendable<std::remove_cv_t<typename T::value_type>>{};
  }
}
template <class T>
struct not_sendable : decltype(find_not_sendable<T>()) {};

template <class T>
consteval rpc_flaw find_result_flaw() {
  if constexpr (std::is_void_v<T>) {
    return rpc_flaw::none;
  } else if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) {
    return rpc_flaw::result_is_a_text_pointer;
  } else if constexpr (std::is_pointer_v<T> && !is_function_pointer<T>) {
    return rpc_flaw::result_is_an_address;
  } else if constexpr (!serializable<T>) {
    return find_type_flaw<not_sendable_t<T>>();
  } else if constexpr (holds_view<whole_result_t<T>>()) {
    return rpc_flaw::result_holds_a_view;
  } else {
    return rpc_flaw::none;
  }
}

template <class F, class... Arguments>
consteval rpc_flaw find_call_flaw() {
  using parameters = decltype(find_parameters<F>());
  if constexpr (parameters::known) {
    if constexpr (parameters::count != sizeof...(Arguments))
      return rpc_flaw::number_of_arguments;
    else if constexpr (parameters::wants_to_change)
      return rpc_flaw::parameter_is_a_reference;
  } else if constexpr (std::invocable<F&, received_t<Arguments>&...> ||
                       std::invocable<F&, owned_t<Arguments>&...>) {
    return rpc_flaw::parameter_is_a_reference;
  }
  return rpc_flaw::types_of_arguments;
}

template <class F, class... Arguments>
consteval rpc_flaw find_rpc_flaw() {
  if constexpr (std_function_like<F>) {
    return rpc_flaw::is_std_function;
  } else if constexpr (std::is_member_pointer_v<F>) {
    return rpc_flaw::is_member_pointer;
  } else if constexpr (!travelling_function<F>) {
    return rpc_flaw::captures_what_cannot_travel;
  } else if constexpr (captures_address<F>()) {
    return rpc_flaw::captures_an_address;
  } else if constexpr (!(possible_argument<Arguments> && ...)) {
    return find_type_flaw<typename first_not_sendable<Arguments...>::type>();
  } else if constexpr (!std::invocable<F&, received_t<Arguments>...> &&
                       !std::invocable<F&, owned_t<Arguments>...>) {
    return find_call_flaw<F, Arguments...>();
  } else {
    return rpc_flaw::none;
  }
}

template <class F, class... Arguments>
consteval rpc_flaw find_flaw_of_answered_rpc() {
  constexpr rpc_flaw of_call = find_rpc_flaw<F, Arguments...>();
  if constexpr (of_call != rpc_flaw::none) {
    return of_call;
  } else {
    return find_result_flaw<brought_t<rpc_result_t<F, Arguments...>>>();
  }
}

template <rpc_flaw Flaw, class F, class... Arguments>
struct rpc_future {
  using type = future<fits_everything>;
};
template <class F, class... Arguments>
struct rpc_future<rpc_flaw::none, F, Arguments...> {
  using type = future<typename rpc_value<brought_t<rpc_result_t<F, Arguments...>>>::type>;
};
template <class F, class... Arguments>
using rpc_future_t =
    typename rpc_future<find_flaw_of_answered_rpc<F, Arguments...>(), F, Arguments...>::type;

}  // namespace acre::global
