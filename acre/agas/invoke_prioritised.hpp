// SPDX-License-Identifier: BSD-3-Clause
// Calls of objects with priorities.
//
//     acre::invoke_prioritised(-1, cell, &grid_cell::send_border).get();   // before those of 0, 1
//     …
//
// An arrived call waits in its rank's heap by (priority, arrival), then is an exclusive or
// concurrent call as of invoke().
#pragma once

#include <acre/agas/detail/member_call.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/agas/this_object.hpp>
#include <acre/global/future/task.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace acre {
namespace agas {

/// Ready when it is the first, after a progress step.
[[nodiscard]] future<> wait_for_turn(int priority);

/// Runs concurrently until its turn, and so keeps the object here.
template <class F>
struct prioritised_call {
  template <class T, class... Arguments>
    requires std::invocable<F&, T&, Arguments...>
  auto operator()(T& /*object*/, int priority, const F& function, Arguments&&... arguments) const
      -> decltype(invoke(object_id<T>(), function, std::as_const(arguments)...)) {
    const object_id<T> object = this_id<T>();
    co_await wait_for_turn(priority);
    co_return co_await invoke(object, function, std::as_const(arguments)...);
  }
};
template <class T, class F>
[[nodiscard]] bool is_concurrent(const prioritised_call<F>& /*call*/) noexcept {
  return true;
}

}  // namespace agas

/// As invoke(). Prioritised calls that wait at a rank begin by ascending `priority`, then in the
/// order of arrival, after the messages received before. Moves and the end of the object wait for
/// them. Cost: as invoke(), and 2 M of the object's rank to itself.
template <agas::names_object Name, class F = global::overload_to_be_chosen_by_static_cast,
          class... Arguments>
[[nodiscard]] auto invoke_prioritised(int priority, const Name& object, F&& f,
                                      const Arguments&... arguments) {
  using T = typename agas::call_by<Name>::object_type;
  using function = agas::travelling_t<std::decay_t<F>>;
  constexpr auto flaw = agas::find_flaw_of_answered_invoke<function, T, Arguments...>();
  if constexpr (flaw != global::rpc_flaw::none) {
    return invoke(object, f, arguments...);
  } else {
    return invoke(object, agas::prioritised_call<function>(), priority, function(f), arguments...);
  }
}

}  // namespace acre
