// SPDX-License-Identifier: BSD-3-Clause
// Puts and copies after which the target runs a function, as by RPC.
//
//     acre::put(p, std::span(rows), acre::then_at_target([](block b) { take(b); }, mine));
//
// One message carries both to other nodes; larger data is a put followed by the call, at completion
// if messages may overtake puts.
//
// Calls return when the source is reusable; quiet() waits for the data, not for the function. They
// may run requests, as rpc() may.
#pragma once

#include <acre/global/memory/put_get.hpp>
#include <acre/global/transfer/completion.hpp>
#include <acre/global/transfer/detail/call_at_target.hpp>
#include <acre/global/transfer/strided.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

namespace acre {
namespace global {

template <class F, class... Arguments, class Use>
void with_call(rank_t target, const then_at_target<F, Arguments...>& then, Use&& use) {
  then.pack(target, [&](callable_token invoker, std::span<const std::byte> arguments) {
    use(packed_call{invoker, arguments});
  });
}

template <class F, class... Arguments>
void send_to_target(rank_t target, const then_at_target<F, Arguments...>& then) {
  with_call(target, then, [&](const packed_call& call) { send_call(target, call); });
}

}  // namespace global

/// Writes a value, then runs `then` at the target. Cost: as for values, below.
template <writable T, class F, class... Arguments>
void put(global_ptr<T> target, const std::type_identity_t<T>& value,
         const then_at_target<F, Arguments...>& then) {
  if (target.is_local(then.where)) {
    put(target, value, then.where);
    return global::send_to_target(target.rank(), then);
  }
  global::check_pointer(target.bits(), sizeof(T), "put", then.where);
  global::with_call(target.rank(), then, [&](const global::packed_call& call) {
    global::put_value_then_call(target.bits(), &value, sizeof(T), call);
  });
}

/// Writes values, then runs `then` at the target; without values, an RPC. Cost: M; to a rank of
/// this node, or if one message cannot carry both, W + M.
/// @throws as put()
template <writable T, class F, class... Arguments>
void put(global_ptr<T> target, std::span<const std::type_identity_t<T>> values,
         const then_at_target<F, Arguments...>& then) {
  if (target.is_local(then.where) || values.empty()) {
    put(target, values, then.where);
    return global::send_to_target(target.rank(), then);
  }
  global::check_pointer(target.bits(), values.size_bytes(), "put", then.where);
  global::with_call(target.rank(), then, [&](const global::packed_call& call) {
    global::put_then_call(target.bits(), values.data(), values.size_bytes(), call);
  });
}

/// copy(), then runs `then` on the rank of `to`.
template <class From, writable To, class F, class... Arguments>
  requires std::same_as<std::remove_cv_t<From>, To>
void copy(global_ptr<From> from, global_ptr<To> to, std::size_t count,
          const then_at_target<F, Arguments...>& then) {
  if (const From* source = count == 0 ? nullptr : from.local(then.where)) {
    return put(to, std::span(source, count), then);
  }
  copy(from, to, count, then.where);
  global::send_to_target(to.rank(), then);
}

/// put_strided(), then runs `then` at the target.
template <writable T, std::size_t Dimensions, class F, class... Arguments>
void put_strided(global_ptr<T> target, const std::array<std::size_t, Dimensions>& extents,
                 const std::array<std::ptrdiff_t, Dimensions>& strides,
                 const std::type_identity_t<T>* source,
                 const std::array<std::ptrdiff_t, Dimensions>& local_strides,
                 const then_at_target<F, Arguments...>& then) {
  put_strided_nbi(target, extents, strides, source, local_strides, then.where);
  const bool call_may_overtake =
      !target.is_local(then.where) && !runtime::world.conduit->offers().messages_follow_puts;
  if (call_may_overtake) quiet();
  global::send_to_target(target.rank(), then);
  quiet();
}

}  // namespace acre
