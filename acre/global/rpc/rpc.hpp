// SPDX-License-Identifier: BSD-3-Clause
// Remote procedure calls.
//
//     auto length = acre::rpc(3, [](const std::string& s) { return s.size(); }, "hello");
//     std::size_t n = length.get();
//     acre::rpc(map.owner(key), add_edge, key).get();      // at a member's rank
//     acre::rpc(row, 0, report, sum).get();                // member 0 of the team
//
// The function runs on the target in its progress() or a wait, after the job's constructor.
// Arguments and result are copied (serialization.hpp); view parameters point into the message until
// the function returns. An exception becomes the future's failure. Calls from one rank to another
// run in order of issue.
#pragma once

#include <acre/global/future/future.hpp>
#include <acre/global/rpc/detail/return_address.hpp>
#include <acre/global/rpc/detail/rpc_checks.hpp>
#include <acre/global/team/call_under_way.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/wire/callable.hpp>
#include <acre/global/wire/detail/roomy.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/global/wire/with_payload.hpp>
#include <acre/runtime/active_message.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <exception>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

class team;

namespace global {

using rpc_invoker = void(reader& arguments, const rpc_return_address& caller);
using rpc_finisher = void (*)(fabric::word promise, const runtime::message& reply);

/// Encodes promise and finisher for a message; the promise's upper 16 bits are 0.
[[nodiscard]] std::array<fabric::word, 2> lend_answer(fabric::word promise,
                                                      rpc_finisher finisher) noexcept;

void send_rpc(rank_t target, callable_token invoker, fabric::word promise, rpc_finisher finisher,
              std::span<const std::byte> payload);
void send_rpc(rank_t target, callable_token invoker, fabric::word promise, rpc_finisher finisher,
              runtime::payload_block& payload);
void send_rpc_result(const rpc_return_address& caller, std::span<const std::byte> payload);
void send_rpc_result(const rpc_return_address& caller, runtime::payload_block& payload);
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

template <class F>
roomy<F> read_roomy_function(reader& from) {
  return roomy<F>(std::in_place, [&] { return read_function<F>(from); });
}

template <class... Received, class Read>
std::tuple<roomy<Received>...> read_each(reader& from, Read&& read) {
  // Braces fix the order of evaluation.
  std::tuple<roomy<Received>...> values{roomy<Received>(
      std::in_place, [&]() -> Received { return read.template operator()<Received>(from); })...};
  from.expect_end();
  return values;
}
template <class... Received>
std::tuple<roomy<Received>...> read_arguments(reader& from) {
  return read_each<Received...>(from, []<class Each>(reader& here) { return here.read<Each>(); });
}

template <class F, class... Received>
decltype(auto) call_with_read(F&& function, std::tuple<roomy<Received>...>& values) {
  return std::apply(
      [&](auto&... each) -> decltype(auto) { return function(std::forward<Received>(*each)...); },
      values);
}

template <class F, class... Received>
decltype(auto) call_from(reader& arguments) {
  roomy<F> function = read_roomy_function<F>(arguments);
  auto values = read_arguments<Received...>(arguments);
  return call_with_read(*function, values);
}

/// A received call whose message and values live until the future that the function returned is
/// ready.
template <class F, class Values>
struct lasting_call {
  template <class Read>
  lasting_call(std::span<const std::byte> bytes, Read& read)
      : message(bytes.begin(), bytes.end()), values(read(rest)) {}
  std::vector<std::byte> message;
  reader rest{message};
  roomy<F> function = read_roomy_function<F>(rest);
  Values values;
};

/// True if the call is complete when F returns, though its future waits for a later user call.
template <class F>
inline constexpr bool may_never_end = false;

/// Runs a function that returns a future, until which the call counts as under way.
/// @param read  returns the arguments, from the reader after the function
/// @param take  receives the ready future while its views are valid
template <class F, class Read, class Take>
future<> call_lasting(reader& arguments, Read&& read, Take take) {
  using call = lasting_call<F, std::invoke_result_t<Read&, reader&>>;
  const std::size_t bytes = arguments.remaining();
  std::vector<call> kept;  // stable when the vector moves
  kept.emplace_back(std::span(arguments.take(bytes), bytes), read);
  auto coming = call_with_read(*kept[0].function, kept[0].values);
  unfinished_call counted(!may_never_end<F> && coming.is_valid() && !coming.is_ready());
  return std::move(coming).then([counted = std::move(counted), kept = std::move(kept),
                                 take](decltype(coming) done) { take(done); });
}

template <class Produce>
void reply_with(const rpc_return_address& caller, Produce&& produce) {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Produce&>>) {
      produce();
      send_rpc_result(caller, {});
    } else {
      using result = std::invoke_result_t<Produce&>;
      const auto send = [&](auto&& payload) { send_rpc_result(caller, payload); };
      if constexpr (is_large<result>) {
        roomy<result> made(std::in_place, produce);
        with_payload_for(caller.caller, send, *made);
      } else {
        with_payload_for(caller.caller, send, produce());
      }
    }
  } catch (...) {
    send_rpc_failure(caller, std::current_exception());
  }
}

template <class Call>
void reply_later(const rpc_return_address& caller, Call&& call) {
  if (!caller.is_awaited()) return call([](auto& done) { static_cast<void>(done.get()); });
  try {
    call([to = caller](auto& done) { reply_with(to, [&] { return done.get(); }); });
  } catch (...) {
    send_rpc_failure(caller, std::current_exception());
  }
}

template <class F, class... Received>
void invoke_rpc(reader& arguments, const rpc_return_address& caller) {
  if constexpr (is_future<std::remove_cvref_t<std::invoke_result_t<F&, Received...>>>) {
    reply_later(caller,
                [&](auto take) { call_lasting<F>(arguments, read_arguments<Received...>, take); });
  } else if (!caller.is_awaited()) {
    static_cast<void>(call_from<F, Received...>(arguments));
  } else {
    reply_with(caller, [&]() -> decltype(auto) { return call_from<F, Received...>(arguments); });
  }
}

template <class Brought>
void finish_rpc(fabric::word promised, const runtime::message& reply) {
  auto result = promise<typename rpc_value<Brought>::type>::from_word(promised);
  if (rpc_failed(reply)) return result.set_exception(rpc_failure(reply));
  global::fulfil(result, [&] {
    if constexpr (!std::is_void_v<Brought>) return deserialize_whole<Brought>(reply.payload);
  });
}

/// Calls issue(promise word, finisher), which sends a call; returns the future of its reply.
template <class Brought, class Issue>
[[nodiscard]] auto promise_rpc(Issue&& issue) {
  using value = typename rpc_value<Brought>::type;
  promise<value> promised;
  auto result = promised.get_future();
  const fabric::word word = std::move(promised).to_word();
  try {
    issue(word, &finish_rpc<Brought>);
  } catch (...) {
    promise<value>::from_word(word).set_exception(std::current_exception());
  }
  return result;
}

template <class F, class... Received>
callable_token rpc_token(arriving<Received...>) {
  return token_of<&invoke_rpc<F, Received...>>();
}

/// Invoker of a call, and its payload: `function` unless stateless, arguments. Specialised in
/// dist_object.hpp.
template <class F, class... Arguments>
struct request {
  static callable_token invoker() { return rpc_token<F>(arriving_for<F, Arguments...>{}); }
  template <class Write>
  static void pack(rank_t /*target*/, Write&& write, const F& function,
                   const Arguments&... arguments) {
    if constexpr (stateless<F>) {
      write(arguments...);
    } else {
      write(function, arguments...);
    }
  }
};

template <class F, class... Arguments>
void issue_rpc(rank_t target, fabric::word promised, rpc_finisher finisher, const F& function,
               const Arguments&... arguments) {
  using call = request<F, Arguments...>;
  const callable_token invoker = call::invoker();
  const auto send = [&](auto&& payload) { send_rpc(target, invoker, promised, finisher, payload); };
  const auto write = [&](const auto&... values) { with_payload_for(target, send, values...); };
  call::pack(target, write, function, arguments...);
}

struct called_rank {
  template <std::convertible_to<rank_t> Rank>
  constexpr called_rank(const Rank& rank) noexcept(noexcept(static_cast<rank_t>(rank)))
      : number(static_cast<rank_t>(rank)) {}
  constexpr called_rank(member of) noexcept : number(of.world_rank()) {}

  rank_t number;
};

/// @throws acre::error if the member does not exist
[[nodiscard]] rank_t rank_of_member(const team& members, rank_t number);

}  // namespace global

/// Functions that rpc() accepts. For others rpc() itself explains the error at compile time.
template <class F, class... Arguments>
concept remotely_callable =
    global::find_flaw_of_answered_rpc<std::decay_t<F>, std::remove_cvref_t<Arguments>...>() ==
    global::rpc_flaw::none;

/// Runs f(arguments...) on `target`, a rank or acre::member. Returns a future of its result or
/// failure; views (string_view, span, message_view), also in a pair, tuple, optional, variant,
/// array or vector, become strings and vectors. Cost: 2 M and the target's attention. Arguments are
/// reusable at return. For lack of buffer space this call, or a later one, runs functions requested
/// by other ranks: hold no lock that they take.
/// @param f  function, or object that can be serialised; a lambda's captures must be trivially
/// copyable, without pointers and references
template <class F = global::overload_to_be_chosen_by_static_cast, class... Arguments>
[[nodiscard]] global::rpc_future_t<std::decay_t<F>, Arguments...> rpc(
    global::called_rank target, F&& f, const Arguments&... arguments) {
  using function = std::decay_t<F>;
  constexpr auto flaw = global::find_flaw_of_answered_rpc<function, Arguments...>();
  if constexpr (flaw != global::rpc_flaw::none) {
    global::explain_call<flaw, function, Arguments...>();
    return {};
  } else {
    using brought = global::brought_t<global::rpc_result_t<function, Arguments...>>;
    return global::promise_rpc<brought>([&](fabric::word word, global::rpc_finisher finisher) {
      global::issue_rpc<function>(target.number, word, finisher, f, arguments...);
    });
  }
}

/// Runs f(arguments...) on `target` without a reply. drain() (drain.hpp) and the end of the job
/// wait for the call; barrier() does not. Exceptions are thrown at the end of the target's call in
/// which f ran. Locks: as rpc(). Cost: M.
template <class F = global::overload_to_be_chosen_by_static_cast, class... Arguments>
void rpc_ff(global::called_rank target, F&& f, const Arguments&... arguments) {
  using function = std::decay_t<F>;
  constexpr auto flaw = global::find_rpc_flaw<function, Arguments...>();
  if constexpr (flaw != global::rpc_flaw::none) {
    global::explain_call<flaw, function, Arguments...>();
  } else {
    global::issue_rpc<function>(target.number, 0, nullptr, f, arguments...);
  }
}

/// rpc() to team member `number`.
/// @throws acre::error if the member does not exist
template <class F = global::overload_to_be_chosen_by_static_cast, class... Arguments>
[[nodiscard]] auto rpc(const team& members, rank_t number, F&& f, const Arguments&... arguments) {
  return rpc(global::rank_of_member(members, number), f, arguments...);
}
template <class F = global::overload_to_be_chosen_by_static_cast, class... Arguments>
void rpc_ff(const team& members, rank_t number, F&& f, const Arguments&... arguments) {
  rpc_ff(global::rank_of_member(members, number), f, arguments...);
}

}  // namespace acre
