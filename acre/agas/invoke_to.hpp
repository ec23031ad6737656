// SPDX-License-Identifier: BSD-3-Clause
// Calls whose result goes directly to another object: two messages instead of three.
//
//     acre::invoke_to(summary, &tally::add, cell, &grid_cell::mass);   // tally.add(cell.mass())
#pragma once

#include <acre/agas/detail/member_call.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/agas/object_ref.hpp>

#include <functional>
#include <type_traits>
#include <utility>

namespace acre {
namespace agas {

template <class F, class G>
struct result_sender {
  F function;
  G taker;

  template <class T, class Taker, class... Arguments>
    requires std::invocable<F&, T&, Arguments...>
  auto operator()(T& object, const Taker& to, Arguments&&... arguments) {
    using result = std::invoke_result_t<F&, T&, Arguments...>;
    if constexpr (global::is_future<std::remove_cvref_t<result>>) {
      return std::invoke(function, object, std::forward<Arguments>(arguments)...)
          .then([to, taken = taker](std::remove_cvref_t<result> done) { send(to, taken, done); });
    } else if constexpr (std::is_void_v<result>) {
      std::invoke(function, object, std::forward<Arguments>(arguments)...);
      invoke_ff(to, taker);
    } else {
      invoke_ff(to, taker, std::invoke(function, object, std::forward<Arguments>(arguments)...));
    }
  }

 private:
  template <class Taker, class Future>
  static void send(const Taker& to, const G& taken, Future& done) {
    if constexpr (std::is_void_v<decltype(done.get())>) {
      done.get();
      invoke_ff(to, taken);
    } else {
      invoke_ff(to, taken, done.get());
    }
  }
};

template <class T, class F, class G>
[[nodiscard]] bool is_concurrent(const result_sender<F, G>& call) noexcept {
  return is_concurrent<T>(call.function);
}

}  // namespace agas

/// Calls take(to, f(object, arguments...)), or take(to) without a result, each on its object's
/// rank. Does not wait; drain() does. An object_ref keeps its object until its call has run. Calls
/// of `take` are ordered as calls of the rank where f ran. Cost: 2 M with correct hints. If f
/// fails, `take` is not called. Failures are reported as by invoke_ff().
template <class Target, class G = global::overload_to_be_chosen_by_static_cast, class Object,
          class F = global::overload_to_be_chosen_by_static_cast, class... Arguments>
void invoke_to(const Target& to, G&& take, const Object& object, F&& f,
               const Arguments&... arguments) {
  if constexpr (!global::is_overloaded<F> && !global::is_overloaded<G>) {
    using sender = agas::result_sender<agas::travelling_t<std::decay_t<F>>,
                                       agas::travelling_t<std::decay_t<G>>>;
    invoke_ff(object, sender{std::forward<F>(f), std::forward<G>(take)}, to, arguments...);
  }
}

}  // namespace acre
