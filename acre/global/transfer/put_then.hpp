// SPDX-License-Identifier: BSD-3-Clause
// Puts and copies that have the target run a function with what they bring.
//
//     acre::put(p, std::span(rows), acre::then_at_target([](block b) { take(b); }, mine));
//
// The data is written to the target's memory, then the target runs the function, as one that an
// RPC names. To a neighbour these are stores and the RPC's message; to another node one message
// brings both, which the target's memory takes whether its owner looks or not. More than a message
// carries is a put, with the call right behind it; or, where the network may let that overtake,
// with the call when the put is complete.
//
// They return when the source may be used again. quiet() waits for the data, not for the function.
// A call that finds no room may run functions that others have asked of this rank, as rpc() may.
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

/// Calls use(packed_call).
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

/// Writes a value, then has the target run `then`. Cost: M; to a neighbour W + M.
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

/// Writes values, then has the target run `then`; without values it is an RPC. Cost: M; to a
/// neighbour, or where a message does not carry them, W + M.
/// @throws acre::error when the network is lost; the provider may still read `values` then
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

/// Copies as copy() does, then has the rank of `to` run `then`.
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

/// Writes a box as put_strided() does, then has the target run `then`.
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
