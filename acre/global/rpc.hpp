// Remote procedure calls: run a function where the data is.
//
//     auto length = acre::rpc(3, [](const std::string& s) { return s.size(); }, "hello");
//     std::size_t n = length.get();
//
// The function runs on the target in its progress() or one of its waits, never
// in a hidden thread. Arguments and result travel by value (serialization.hpp);
// an argument received as a view or string_view stays in the message, uncopied,
// until the function returns. An exception of the function becomes the failure
// of the future. Calls from one rank to another run in the order of issue.
#pragma once

#include <acre/global/callable.hpp>
#include <acre/global/detail/with_payload.hpp>
#include <acre/global/future.hpp>
#include <acre/global/serialization.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/counters.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {
namespace detail {

/// How a function object travels: not at all when it has no state, else like
/// any value (a function pointer as its token).
template <class F>
concept stateless = std::is_empty_v<F> && std::default_initializable<F>;
template <class F>
concept travelling_function = stateless<F> || serializable<F>;

/// What arrives when the function cannot take a view: an object of its own.
template <class T>
struct owned {
  using type = received_t<T>;
};
template <std::size_t Size>
struct owned<char[Size]> {
  using type = std::string;
};
template <class T, std::size_t Extent>
struct owned<std::span<T, Extent>> {
  using type = std::vector<std::remove_const_t<T>>;
};
template <>
struct owned<std::string_view> {
  using type = std::string;
};
template <class T>
using owned_t = typename owned<std::remove_cvref_t<T>>::type;

/// How the arguments arrive: uncopied if the function takes them so.
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

/// What the future holds: a future that the function returns is waited for at the target.
template <class T>
struct rpc_value {
  using type = std::remove_cvref_t<T>;
};
template <class T>
struct rpc_value<future<T>> {
  using type = T;
};
template <class F, class... Arguments>
using rpc_value_t = typename rpc_value<rpc_result_t<F, Arguments...>>::type;

/// Where the reply goes: words that mean something to the caller's process only.
struct rpc_return_address {
  rank_t caller;
  fabric::word promise;
  fabric::word finisher;
};

using rpc_invoker = void(reader& arguments, const rpc_return_address* caller);
using rpc_finisher = void (*)(fabric::word promise, const runtime::message& reply);

void send_rpc(rank_t target, callable_token invoker, fabric::word promise, rpc_finisher finisher,
              std::span<const std::byte> payload);
void send_rpc_result(const rpc_return_address& caller, std::span<const std::byte> payload);
void send_rpc_failure(const rpc_return_address& caller, const std::exception_ptr& failure);
[[nodiscard]] std::exception_ptr rpc_failure(const runtime::message& reply);
[[nodiscard]] bool rpc_failed(const runtime::message& reply) noexcept;

template <class F>
F read_function(reader& from) {
  if constexpr (stateless<F>) {
    return F{};
  } else {
    return from.read<F>();
  }
}

/// Runs the function and hands its result to `consume`.
template <class F, class... Received>
decltype(auto) call_from(reader& arguments) {
  F function = read_function<F>(arguments);
  // Braces fix the order of reading.
  std::tuple<Received...> values{arguments.read<Received>()...};
  arguments.expect_end();
  return std::apply([&](auto&&... each) -> decltype(auto) { return function(std::move(each)...); },
                    std::move(values));
}

/// Sends what `produce` returns, or what the future that it returns brings, or what they throw.
template <class Produce>
void reply_with(const rpc_return_address& caller, Produce&& produce) {
  using result = std::invoke_result_t<Produce&>;
  try {
    if constexpr (is_future<std::remove_cvref_t<result>>) {
      auto replied = produce().then([caller](std::remove_cvref_t<result> done) {
        reply_with(caller, [&] { return done.get(); });
      });
    } else if constexpr (std::is_void_v<result>) {
      produce();
      send_rpc_result(caller, {});
    } else {
      with_payload([&](auto payload) { send_rpc_result(caller, payload); }, produce());
    }
  } catch (...) {
    send_rpc_failure(caller, std::current_exception());
  }
}

/// The function that a request names: reads its arguments, runs, replies.
template <class F, class... Received>
void invoke_rpc(reader& arguments, const rpc_return_address* caller) {
  if (caller == nullptr) {
    static_cast<void>(call_from<F, Received...>(arguments));
    return;
  }
  reply_with(*caller, [&]() -> decltype(auto) { return call_from<F, Received...>(arguments); });
}

/// Takes the reply at the caller.
template <class T>
void finish_rpc(fabric::word promised, const runtime::message& reply) {
  auto result = promise<T>::from_word(promised);
  if (rpc_failed(reply)) return result.set_exception(rpc_failure(reply));
  detail::fulfil(result, [&] {
    if constexpr (!std::is_void_v<T>) return deserialize<T>(reply.payload);
  });
}

template <class F, class... Received>
callable_token rpc_token(arriving<Received...>) {
  return token_of<&invoke_rpc<F, Received...>>();
}

template <class F, class... Arguments>
void issue_rpc(rank_t target, fabric::word promised, rpc_finisher finisher, const F& function,
               const Arguments&... arguments) {
  runtime::count(runtime::counted::rpc);
  const auto send = [&](std::span<const std::byte> payload) {
    send_rpc(target, rpc_token<F>(arriving_for<F, Arguments...>{}), promised, finisher, payload);
  };
  if constexpr (stateless<F>) {
    with_payload(send, arguments...);
  } else {
    with_payload(send, function, arguments...);
  }
}

}  // namespace detail

/// A function that rpc() can run on another rank with these arguments.
template <class F, class... Arguments>
concept remotely_callable =
    detail::travelling_function<std::decay_t<F>> && (serializable<Arguments> && ...) &&
    (std::invocable<std::decay_t<F>&, received_t<Arguments>...> ||
     std::invocable<std::decay_t<F>&, detail::owned_t<Arguments>...>);

/// Runs f(arguments...) on `target`, a rank of the job; the future has its result or its failure.
/// Cost: 2 M and the target's attention. Arguments are free at return.
/// @param f a function, a lambda without captures, or one whose captures are
///          trivially copyable (pointers in them mean nothing over there)
template <class F, class... Arguments>
  requires remotely_callable<F, Arguments...>
[[nodiscard]] future<detail::rpc_value_t<std::decay_t<F>, Arguments...>> rpc(
    rank_t target, F&& f, const Arguments&... arguments) {
  using value = detail::rpc_value_t<std::decay_t<F>, Arguments...>;
  promise<value> promised;
  auto result = promised.get_future();
  const fabric::word word = std::move(promised).to_word();
  try {
    detail::issue_rpc<std::decay_t<F>>(target, word, &detail::finish_rpc<value>, f, arguments...);
  } catch (...) {
    promise<value>::from_word(word).set_exception(std::current_exception());
  }
  return result;
}

/// Runs f(arguments...) on `target` and forgets about it. An exception of f is
/// thrown by the call of the target in which f ran. Cost: M.
template <class F, class... Arguments>
  requires remotely_callable<F, Arguments...>
void rpc_ff(rank_t target, F&& f, const Arguments&... arguments) {
  detail::issue_rpc<std::decay_t<F>>(target, 0, nullptr, f, arguments...);
}

}  // namespace acre

#include <acre/global/team_rpc.hpp>
