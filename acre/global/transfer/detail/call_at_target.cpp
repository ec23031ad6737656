// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/transfer/detail/call_at_target.hpp>

#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/detail/call_tally.hpp>
#include <acre/global/transfer/box_moves.hpp>
#include <acre/global/wire/handler_ids.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/put_message.hpp>
#include <acre/runtime/remote.hpp>

#include <array>
#include <cstring>

namespace acre::global {
namespace {

using runtime::awaited;
using runtime::word;

template <class Use>
void as_note(const packed_call& call, Use&& use) {
  const std::array<word, 3> words{static_cast<word>(call.invoker), 0, 0};
  send_counted([&] {
    use(runtime::owner_note{
        .handler = handler_ids::rpc_request, .arguments = words, .payload = call.arguments});
  });
}

rank_t rank_of(std::uint64_t pointer_bits) noexcept {
  return static_cast<rank_t>(pointer_bits >> offset_bits);
}

/// A pending put reads the caller's memory, so a failed call is reported later.
void send_behind_put(rank_t target, const packed_call& call) noexcept {
  try {
    send_call(target, call);
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
}

template <class Put>
void put_large_then_call(std::uint64_t target_bits, std::size_t room, put_route route,
                         const packed_call& call, Put&& put) {
  const awaited<fabric::operation> under_way(room, put);
  if (route == put_route::call_follows) send_behind_put(rank_of(target_bits), call);
  under_way.wait("put");
  if (route == put_route::call_when_complete) send_call(rank_of(target_bits), call);
}

put_route route_of_large(const packed_call& call) noexcept {
  if (call.invoker == callable_token::none) return put_route::alone;
  return runtime::world.conduit->offers().messages_follow_puts ? put_route::call_follows
                                                               : put_route::call_when_complete;
}

}  // namespace

kept_call::kept_call(rank_t target, const packed_call& call)
    : target_(target),
      invoker_(call.invoker),
      arguments_(call.arguments.begin(), call.arguments.end()) {
  if (invoker_ != callable_token::none) count_call_sent();
}

kept_call::~kept_call() {
  if (invoker_ != callable_token::none) count_call_done();
}

void kept_call::send() const {
  if (invoker_ != callable_token::none) send_call(target_, {invoker_, arguments_});
}

void send_call(rank_t target, const packed_call& call) {
  send_rpc(target, call.invoker, 0, nullptr, call.arguments);
}

put_route route_of_put(std::size_t bytes, const packed_call& call) noexcept {
  if (call.invoker != callable_token::none &&
      runtime::fits_put_message(bytes + call.arguments.size())) {
    return put_route::one_message;
  }
  return route_of_large(call);
}

put_route route_of_box(const fabric::box& shape, const packed_call& call) noexcept {
  const put_route route = route_of_large(call);
  return route == put_route::call_follows && is_packed(shape) ? put_route::call_when_complete
                                                              : route;
}

void put_then_call(std::uint64_t target_bits, const void* source, std::size_t bytes,
                   const packed_call& call) {
  const put_route route = route_of_put(bytes, call);
  if (route == put_route::one_message) {
    runtime::count(runtime::counted::rpc);
    return as_note(call, [&](const runtime::owner_note& note) {
      runtime::put_then_note(target_bits, source, bytes, note, nullptr);
    });
  }
  put_large_then_call(target_bits, 0, route, call, [=](fabric::operation& done, std::byte*) {
    runtime::put_remote(target_bits, source, bytes, done);
  });
}

void put_value_then_call(std::uint64_t target_bits, const void* source, std::size_t bytes,
                         const packed_call& call) {
  const put_route route = route_of_put(bytes, call);
  if (route == put_route::one_message) return put_then_call(target_bits, source, bytes, call);
  put_large_then_call(target_bits, bytes, route, call,
                      [=](fabric::operation& done, std::byte* copy) {
                        std::memcpy(copy, source, bytes);
                        runtime::put_remote(target_bits, copy, bytes, done);
                      });
}

bool source_is_free_at_return(std::size_t bytes) noexcept {
  return bytes <= runtime::world.conduit->offers().max_inject;
}

void start_put_with_call(std::uint64_t target_bits, const void* source, std::size_t bytes,
                         put_route route, const packed_call& call, fabric::operation* done) {
  if (route == put_route::one_message) {
    runtime::count(runtime::counted::rpc);
    return as_note(call, [&](const runtime::owner_note& note) {
      runtime::put_then_note(target_bits, source, bytes, note, done);
    });
  }
  if (done != nullptr) {
    runtime::put_remote(target_bits, source, bytes, *done);
  } else {
    runtime::put_remote_nbi(target_bits, source, bytes);
  }
  if (route == put_route::call_follows) send_behind_put(rank_of(target_bits), call);
}

void start_box_with_call(std::uint64_t target_bits, const void* source, const fabric::box& shape,
                         put_route route, const packed_call& call, fabric::operation& done) {
  put_far_box(target_bits, source, shape, done);
  if (route == put_route::call_follows) send_behind_put(rank_of(target_bits), call);
}

}  // namespace acre::global
