// SPDX-License-Identifier: BSD-3-Clause
// Completion events of an operation, and their recipients.
//
//     acre::counting_promise all;
//     acre::put_async(p, values, acre::on_source(acre::as_future),     // source reusable
//                                acre::on_operation(all),              // the target has the data
//                                acre::then_at_target(consume, p, n)); // and runs this
//
// Put, get, copy and strided calls accept any events as last arguments; they return void, a future,
// or a tuple of futures. Events complete at return are reported there, others in a later progress()
// or wait, which throws exceptions of functions at its end.
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

struct as_future_t {
  explicit as_future_t() = default;
};
inline constexpr as_future_t as_future{};

namespace global {

enum class ending : std::uint8_t { source, operation, target };

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

template <class Way>
auto kept_way(Way&& way) {
  using kind = std::remove_cvref_t<Way>;
  if constexpr (std::same_as<kind, counting_promise>) {
    return counting_access::expect_one(way);
  } else {
    static_assert(!is_promise<kind> || !std::is_lvalue_reference_v<Way>,
                  "a promise is fulfilled once: take its future, then pass std::move(promise); "
                  "for several operations use a counting_promise");
    return std::decay_t<Way>(std::forward<Way>(way));
  }
}

}  // namespace global

/// Event: the source, in the caller's memory, is reusable.
/// @param way  recipient: as_future, an rvalue promise, a counting_promise, or a function
template <class Way>
[[nodiscard]] auto on_source(Way&& way, const site& where = site::current()) {
  using kept = decltype(global::kept_way(std::forward<Way>(way)));
  return global::local_completion<global::ending::source, kept>{
      global::kept_way(std::forward<Way>(way)), where};
}

/// Event: the target's memory has the data of a put, or the data of a get has arrived.
/// @param way  as on_source(); a function may take the value of a single get
template <class Way>
[[nodiscard]] auto on_operation(Way&& way, const site& where = site::current()) {
  using kept = decltype(global::kept_way(std::forward<Way>(way)));
  return global::local_completion<global::ending::operation, kept>{
      global::kept_way(std::forward<Way>(way)), where};
}

/// Event: the target runs f(arguments...) once its memory has the data, as by rpc_ff(), in RPC
/// order. Refers to named arguments, so create it within the call.
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

template <class T>
concept completion = global::is_completion<std::remove_cvref_t<T>>;

}  // namespace acre
