// SPDX-License-Identifier: BSD-3-Clause
// What one may want to hear of an operation, and how.
//
//     acre::counting_promise all;
//     acre::put_async(p, values, acre::on_source(acre::as_future),     // they are mine again
//                                acre::on_operation(all),              // the target has them
//                                acre::then_at_target(consume, p, n)); // and does this with them
//
// An operation has three ends: its source may be used again (on_source); the target's memory has
// the data, and the caller knows (on_operation); and at the target, which knows it first
// (then_at_target). Of the first two one hears by a future, as a promise that is given away, by one
// that counts, or by a function; the last is a function that the target runs. Put, get, copy and
// strided calls take any number of them after their other arguments, and return nothing, a
// future, or a tuple of the futures that were asked for, in the order written.
//
// What is complete when the call returns is said there: the future is ready, the function has run.
// The rest is said in a later progress() or wait of the caller. What a function given to on_source
// or on_operation throws is thrown by the end of a progress() or wait, as a lost failure is.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/future/counting_promise.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/rpc/rpc.hpp>

#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre {

/// See on_source and on_operation.
struct as_future_t {
  explicit as_future_t() = default;
};
inline constexpr as_future_t as_future{};

namespace global {

enum class ending : std::uint8_t { source, operation, target };

/// Not a value that is sent: the end of which one wants to hear, and how.
template <ending End, class Way>
struct local_completion {
  static constexpr ending end = End;
  Way way;
  site where;
};

template <class T>
inline constexpr bool is_promise = false;
template <class T>
inline constexpr bool is_promise<promise<T>> = true;

/// Whom a completion tells. A counting promise expects one more from here on.
template <class Way>
auto kept_way(Way&& way) {
  using kind = std::remove_cvref_t<Way>;
  if constexpr (std::same_as<kind, counting_promise>) {
    return counting_access::expect_one(way);
  } else {
    static_assert(!is_promise<kind> || !std::is_lvalue_reference_v<Way>,
                  "a promise is fulfilled once: take its future, and give it away with "
                  "std::move(promise); for many operations use a counting_promise");
    return std::decay_t<Way>(std::forward<Way>(way));
  }
}

}  // namespace global

/// When the source may be used again: values that were given in memory of the caller.
/// @param way  as_future, a promise that is given away, a counting_promise, or a function
template <class Way>
[[nodiscard]] auto on_source(Way&& way, const site& where = site::current()) {
  using kept = decltype(global::kept_way(std::forward<Way>(way)));
  return global::local_completion<global::ending::source, kept>{
      global::kept_way(std::forward<Way>(way)), where};
}

/// When the operation is complete: the target's memory has what was put, or what was got is here.
/// @param way  as_future, a promise that is given away, a counting_promise, or a function: one that
///             takes the value, where a single one is got
template <class Way>
[[nodiscard]] auto on_operation(Way&& way, const site& where = site::current()) {
  using kept = decltype(global::kept_way(std::forward<Way>(way)));
  return global::local_completion<global::ending::operation, kept>{
      global::kept_way(std::forward<Way>(way)), where};
}

/// f(arguments...), which the target runs once its memory has the data: as a function of rpc_ff(),
/// in the target's progress() or one of its waits, in the order of RPCs. Write it where it is
/// used: arguments that have names are referred to, and free when that call returns.
template <class F, class... Arguments>
class then_at_target {
 public:
  static constexpr global::ending end = global::ending::target;

  then_at_target(F&& f, Arguments&&... arguments, const site& place = site::current())
      : where(place),
        function_(std::forward<F>(f)),
        arguments_(std::forward<Arguments>(arguments)...) {
    global::explain_call<flaw, std::decay_t<F>, std::remove_cvref_t<Arguments>...>();
  }

  site where;

  /// Calls use(invoker, bytes of the function and its arguments).
  template <class Use>
  void pack([[maybe_unused]] rank_t target, [[maybe_unused]] Use&& use) const {
    if constexpr (flaw == global::rpc_flaw::none) pack_fitting(target, use);
  }

 private:
  static constexpr global::rpc_flaw flaw =
      global::find_rpc_flaw<std::decay_t<F>, std::remove_cvref_t<Arguments>...>();

  template <class Use>
  void pack_fitting(rank_t target, Use& use) const {
    using function = std::decay_t<F>;
    using call = global::request<function, std::remove_cvref_t<Arguments>...>;
    const auto use_bytes = [&](std::span<const std::byte> bytes) { use(call::invoker(), bytes); };
    const auto write = [&](const auto&... values) { global::with_payload(use_bytes, values...); };
    std::apply(
        [&](const auto&... each) {
          call::pack(target, write, static_cast<const function&>(function_), each...);
        },
        arguments_);
  }

  F function_;
  std::tuple<Arguments...> arguments_;
};
template <class F, class... Arguments>
then_at_target(F&&, Arguments&&...) -> then_at_target<F, Arguments...>;

namespace global {

template <class T>
inline constexpr bool is_completion = false;
template <ending End, class Way>
inline constexpr bool is_completion<local_completion<End, Way>> = true;
template <class F, class... Arguments>
inline constexpr bool is_completion<then_at_target<F, Arguments...>> = true;

}  // namespace global

/// What on_source, on_operation and then_at_target give.
template <class T>
concept completion = global::is_completion<std::remove_cvref_t<T>>;

}  // namespace acre
