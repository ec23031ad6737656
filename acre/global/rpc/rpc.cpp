// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/rpc/rpc.hpp>

#include <acre/base/error.hpp>
#include <acre/global/rpc/gathered_answers.hpp>
#include <acre/global/team/detail/call_tally.hpp>
#include <acre/global/team/detail/job_teams.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/wire/handler_ids.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/lent_address.hpp>
#include <acre/runtime/require_job.hpp>
#include <acre/runtime/running_code.hpp>

#include <string>

namespace acre::global {
namespace {

using fabric::word;
using runtime::message;

// Message arguments:
// - request: invoker, promise, finisher (0: no reply)
// - reply: promise, finisher, failed

struct done_at_end {
  ~done_at_end() { count_call_done(); }
};

void serve_request(const message& request) {
  const done_at_end counted;
  const rpc_return_address caller{.caller = request.header.source,
                                  .promise = request.arguments[1],
                                  .finisher = request.arguments[2]};
  rpc_invoker* invoker = nullptr;
  try {
    invoker = resolve_named<rpc_invoker>(callable_token{request.arguments[0]});
  } catch (const error& failure) {
    if (!caller.is_awaited()) {
      throw error(failure.call(),
                  "a call from rank " + std::to_string(request.header.source) +
                      " cannot run: " + failure.problem(),
                  failure.advice());
    }
    send_rpc_failure(caller, std::current_exception());
    return;
  }
  reader arguments(request.payload);
  const runtime::serving now({.caller = caller.caller, .how = runtime::served_as::rpc});
  const runtime::within_rpc here(caller.caller, caller.promise, caller.finisher);
  invoker(arguments, caller);
}

void receive_reply(const message& reply) {
  const done_at_end counted;
  const auto [promise, finisher] =
      runtime::returned_pair(reply.arguments[0], reply.arguments[1], reply.header.source);
  reinterpret_cast<rpc_finisher>(finisher)(promise, reply);
}

[[maybe_unused]] const bool rpcs_registered =
    job_ends_together() &&
    runtime::set_owner_handler(handler_ids::rpc_request, serve_request, {.arguments = 3}) &&
    runtime::set_answer_handler(handler_ids::rpc_reply, receive_reply, {.arguments = 3});

template <class Payload>
void send_reply(const rpc_return_address& caller, bool failed, Payload& payload) {
  const word words[] = {caller.promise, caller.finisher, failed ? word{1} : word{0}};
  send_counted([&] { runtime::send(caller.caller, handler_ids::rpc_reply, words, payload); });
}

template <class Payload>
void send_request(rank_t target, callable_token invoker, word promise, rpc_finisher finisher,
                  Payload& payload) {
  if (target >= size()) {
    const char* const call = finisher == nullptr ? "rpc_ff" : "rpc";
    runtime::require_job(call);
    throw error(call, "rank " + std::to_string(target) + " is out of range in a job of " +
                          std::to_string(size()) + " ranks");
  }
  runtime::count(runtime::counted::rpc);
  const runtime::lent_pair answer = lend_answer(promise, finisher);
  const word words[] = {static_cast<word>(invoker), answer[0], answer[1]};
  send_counted([&] { runtime::send(target, handler_ids::rpc_request, words, payload); });
}

}  // namespace

std::array<word, 2> lend_answer(word promise, rpc_finisher finisher) noexcept {
  return runtime::lend_pair(promise, reinterpret_cast<word>(finisher));
}

void send_rpc(rank_t target, callable_token invoker, word promise, rpc_finisher finisher,
              std::span<const std::byte> payload) {
  send_request(target, invoker, promise, finisher, payload);
}

void send_rpc(rank_t target, callable_token invoker, word promise, rpc_finisher finisher,
              runtime::payload_block& payload) {
  send_request(target, invoker, promise, finisher, payload);
}

void send_rpc_result(const rpc_return_address& caller, std::span<const std::byte> payload) {
  if (!gather_answer(caller, false, payload)) send_reply(caller, false, payload);
}

void send_rpc_result(const rpc_return_address& caller, runtime::payload_block& payload) {
  send_reply(caller, false, payload);
}

void send_rpc_failure(const rpc_return_address& caller, const std::exception_ptr& failure) {
  std::string text = "an exception that is not a std::exception";
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& thrown) {
    text = thrown.what();
  } catch (...) {
  }
  const auto payload = std::as_bytes(std::span(text));
  if (!gather_answer(caller, true, payload)) send_reply(caller, true, payload);
}

bool rpc_failed(const message& reply) noexcept { return reply.arguments[2] != 0; }

std::exception_ptr rpc_failure(const message& reply) {
  const std::string text(reinterpret_cast<const char*>(reply.payload.data()), reply.payload.size());
  return std::make_exception_ptr(error(
      "rpc", "the function failed on rank " + std::to_string(reply.header.source) + ": " + text));
}

rank_t rank_of_member(const team& members, rank_t number) { return members[number].world_rank(); }

}  // namespace acre::global
