#include <acre/global/remote_call.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <string_view>

namespace acre::detail {
namespace {

using fabric::word;
using runtime::handler_id;
using runtime::message;
using runtime::responder;

// request: function, ticket, words…
// reply:   ticket, code, whether it failed

/// Runs the function that a request names.
/// @return whether it has thrown; the answer says what then
bool run_call(const message& request, call_answer& answer) {
  const auto fail = [&](std::string_view why) {
    const auto bytes =
        std::as_bytes(std::span(why)).first(std::min(why.size(), runtime::max_payload()));
    answer.bytes.assign(bytes.begin(), bytes.end());
    return true;
  };
  try {
    auto* function = resolve<remote_function>(callable_token{request.arguments[0]});
    function(request.arguments.subspan(2), request.payload, answer);
    return false;
  } catch (const std::exception& thrown) {
    return fail(thrown.what());
  } catch (...) {
    return fail("an exception that is no std::exception");
  }
}

void serve_at_once(const message& request, responder& respond) {
  call_answer answer;
  const word failed = run_call(request, answer) ? 1 : 0;
  const word words[] = {request.arguments[1], answer.code, failed};
  respond.reply(handler_id::remote_call_reply, words, answer.bytes);
}

void serve_by_owner(const message& request) {
  call_answer answer;
  const word failed = run_call(request, answer) ? 1 : 0;
  const word words[] = {request.arguments[1], answer.code, failed};
  runtime::send(request.header.source, handler_id::remote_call_reply, words, answer.bytes);
}

void take_reply(const message& reply, responder&) {
  auto& ticket = *reinterpret_cast<call_ticket*>(reply.arguments[0]);
  ticket.complete(
      ticket,
      {.failed = reply.arguments[2] != 0, .code = reply.arguments[1], .bytes = reply.payload});
}

[[maybe_unused]] const bool registered =
    runtime::set_builtin_handler(handler_id::remote_call, serve_at_once) &&
    runtime::set_owner_handler(handler_id::owner_call, serve_by_owner) &&
    runtime::set_builtin_handler(handler_id::remote_call_reply, take_reply);

/// A call that somebody waits for.
struct awaited_call : call_ticket {
  explicit awaited_call(std::span<std::byte> place) noexcept : result(place) {
    complete = [](call_ticket& ticket, const call_reply& reply) noexcept {
      auto& call = static_cast<awaited_call&>(ticket);
      call.code = reply.code;
      call.failed = reply.failed;
      if (reply.failed) {
        call.text.assign(reinterpret_cast<const char*>(reply.bytes.data()), reply.bytes.size());
      } else if (!reply.bytes.empty()) {
        std::memcpy(call.result.data(), reply.bytes.data(),
                    std::min(call.result.size(), reply.bytes.size()));
      }
      call.done.store(true, std::memory_order_release);
    };
  }

  std::span<std::byte> result;
  word code = 0;
  bool failed = false;
  std::string text;
  std::atomic<bool> done{false};
};

}  // namespace

void start_remote_call(rank_t target, run_by thread, callable_token function,
                       std::span<const word> words, std::span<const std::byte> payload,
                       call_ticket& ticket) {
  std::array<word, fabric::max_arguments> all{static_cast<word>(function),
                                              reinterpret_cast<word>(&ticket)};
  std::ranges::copy(words, all.begin() + 2);
  const handler_id handler =
      thread == run_by::owner ? handler_id::owner_call : handler_id::remote_call;
  runtime::send(target, handler, std::span(all).first(words.size() + 2), payload);
}

word run_remote_call(rank_t target, run_by thread, callable_token function,
                     std::span<const word> words, std::span<const std::byte> payload,
                     std::span<std::byte> result, const char* what,
                     const std::source_location& where) {
  awaited_call call(result);
  start_remote_call(target, thread, function, words, payload, call);
  // Two ranks that update each other's keys both run what the other asks for.
  const auto meanwhile =
      thread == run_by::owner ? runtime::may_run::user_code : runtime::may_run::internal;
  runtime::wait_until([&] { return call.done.load(std::memory_order_acquire); }, what, meanwhile,
                      where);
  if (call.failed) {
    throw error(what, "it failed on rank " + std::to_string(target) + ": " + call.text);
  }
  return call.code;
}

}  // namespace acre::detail
